#!/usr/bin/env node
// Plays Constructor: builds the most valuable thing, and robs and refuses whoever leads. Protocol: docs/bots.md, JSON.
//
//     constructor -random-board -players human,"json:node examples/bots/leader_bot.mjs",greedy,greedy

import { createInterface } from "node:readline";

const values = { improve: 4, "build-res": 3, complete: 3, "build-road": 2, achieve: 2, next: 1, trade: 0, no: 1, yes: 0 };
let colours = [];

/** The value of an action: of building, by its kind; of robbing, by the victim's points. */
function value({ text }, points) {
  const [word] = text.split(" ");
  const victim = colours.indexOf(word);
  return victim >= 0 ? points[victim] : (values[word] ?? 0);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start") {
    colours = message.colours;
  } else if (message.type === "choose") {
    const { id, actions, points } = message;
    const best = actions.reduce((one, other) => (value(other, points) > value(one, points) ? other : one));
    console.log(JSON.stringify({ id, index: best.index }));
  }
}
