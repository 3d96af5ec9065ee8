// The page of a table, used as people use it, in Chromium.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, answer, browse, folder, isOver, open, play, serve, turn } from "./support.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PROGRAM = process.env.CONSTRUCTOR || join(ROOT, "constructor");
const ONE = ["-random-board", "-players", "human,greedy,greedy,greedy"];
const COLOURS = ["Blue", "Red", "Orange", "Yellow"];
const limit = { timeout: 120_000 };

// Plays 40 decisions of Blue, then gives the seat to a computer. Builders who play like these block one another for ever in some games.
async function playToTheEnd(server, page, way) {
  let left = 40;
  await play(page, way, () => (left -= 1) >= 0);
  server.order("give Blue greedy");
  await page.waitForFunction(() => / wins /.test(document.title) && !isDrawing && shown === view.n);
}

for (const [way, options] of [
  ["keyboard", { viewport: { width: 1280, height: 800 } }],
  ["typed", { viewport: { width: 1280, height: 800 } }],
  ["touch", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
  test(`a whole game, ${way}`, limit, async (t) => {
    const server = await serve(t, folder(t), ...ONE);
    const page = await open(await browse(t), server.links.Blue, options);
    assert.ok(!page.url().includes("#"), "the token leaves the address");
    await playToTheEnd(server, page, way);
    assert.match(await page.textContent("#log"), /dice came from seed/);
    assert.deepEqual(page.faults, []);
  });
}

// Checks a page in one of its states: axe, contrast of the board, size of targets, and no sideways scrolling.
async function check(page, state) {
  const size = page.viewportSize();
  for (const [colorScheme, width] of [["light", size.width], ["dark", size.width], ["light", 320]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: size.height });
    const where = `${state}, ${colorScheme}, ${width}`;
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target)}`), [], where);
    const found = await page.evaluate(() => {
      const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map((value) => channel(value / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
      let ground = "", least = 21;
      for (const shape of document.querySelectorAll("#board svg > [aria-hidden] > *, .choice.on > *")) {
        const { fill, stroke } = getComputedStyle(shape);
        if (shape.tagName === "text") least = Math.min(least, contrast(fill, ground));
        else ground = shape.tagName === "line" ? stroke : fill;
      }
      const targets = [...document.querySelectorAll("button, select, .choice.on .target")].map((one) => one.getBoundingClientRect());
      const smallest = Math.min(...targets.filter((one) => one.width).flatMap((one) => [one.width, one.height]));
      return { least, smallest, overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth };
    });
    assert.ok(found.least >= 4.5, `${where}: contrast ${found.least}`);
    assert.ok(found.smallest >= 24, `${where}: a target of ${found.smallest} pixels`);
    assert.equal(found.overflow, 0, where);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(size);
}

test("four browsers; one is loaded again in every phase, and every state is accessible", { timeout: 480_000 }, async (t) => {
  const server = await serve(t, folder(t), "-random-board", "-clock", "600");
  const browser = await browse(t);
  const pages = [];
  for (const colour of COLOURS) {
    pages.push(await open(browser, server.links[colour], { viewport: { width: 1280, height: 900 }, bypassCSP: true }));
  }
  const watcher = await open(browser, server.watch, { viewport: { width: 1280, height: 900 }, bypassCSP: true });
  for (const page of [...pages, watcher]) await page.evaluate(AXE);
  await check(watcher, "watching");
  const [checked, loaded] = [new Set(), new Set()];
  let decisions = 0;
  await Promise.all(pages.map((page, seat) => play(page, "mouse", async (phase) => {
    decisions += 1;
    // Computers take over, each at a seat's own decision: not while its player reaches for a button.
    const needed = [loaded, checked][seat];
    if (decisions > 100 && (!needed || ["settle", "roll", "turn"].every((one) => needed.has(one)))) {
      server.order(`give ${COLOURS[seat]} greedy`);
      return false;
    }
    if (seat === 0 && !loaded.has(phase)) {
      loaded.add(phase);
      await page.reload();
      assert.equal(await turn(page), phase, "the same decision after loading again");
    } else if (seat === 1 && !checked.has(phase)) {
      checked.add(phase);
      await check(page, phase);
    }
  })));
  for (const phase of ["settle", "roll", "turn"]) assert.ok(checked.has(phase) && loaded.has(phase), phase);
  t.diagnostic(`checked ${[...checked].join(", ")}; loaded again in ${[...loaded].join(", ")}`);
  for (const page of [...pages, watcher]) assert.deepEqual(page.faults, []);
});

test("the end is the same for all, and accessible", limit, async (t) => {
  const server = await serve(t, folder(t), ...ONE);
  const browser = await browse(t);
  const options = { viewport: { width: 1280, height: 900 }, bypassCSP: true };
  const [page, watcher] = [await open(browser, server.links.Blue, options), await open(browser, server.watch, options)];
  await playToTheEnd(server, page, "mouse");
  await turn(watcher);
  await page.evaluate(AXE);
  await check(page, "end");
  assert.equal(await page.textContent("#turn"), await watcher.textContent("#turn"));
  assert.deepEqual([page.faults, watcher.faults], [[], []]);
});

test("a browser, the full screen and a program at one table", limit, async (t) => {
  const path = folder(t);
  const server = await serve(t, path, "-random-board", "-players", "human,human,human,greedy");
  const start = (command, options) => {
    const child = spawn(command, options, { cwd: path, stdio: ["pipe", "ignore", "inherit"], env: { ...process.env, TERM: "xterm" } });
    t.after(() => child.kill("SIGKILL"));
    return child;
  };
  const bot = start(PROGRAM, ["join", "-", "-player", `json:python3 ${ROOT}/examples/bots/random_bot.py`]);
  bot.stdin.end(server.links.Red + "\n");
  // A terminal of its own.
  const screen = start("script", ["-qec", `stty cols 80 rows 24; '${PROGRAM}' join`, "/dev/null"]);
  screen.stdin.write(server.links.Orange + "\r");
  const token = server.links.Orange.split("#")[1];
  const browser = await browse(t);
  const page = await open(browser, server.links.Blue);
  const watcher = await open(browser, server.watch);
  let left = 30;
  const type = async () => {
    for (let seen = ""; left >= 0 && !await isOver(watcher); await watcher.waitForTimeout(50)) {
      const { decides, phase, number } = await watcher.evaluate(() =>
        ({ decides: document.title, phase: document.body.dataset.phase, number: document.querySelector("#at").max }));
      if (!decides.startsWith("Orange decides") || seen === number + phase) continue;
      await watcher.waitForTimeout(150); // The screen gets its position at about the same time.
      const svg = await (await fetch(new URL("board.svg", server.watch), { headers: { Authorization: `Bearer ${token}` } })).text();
      const places = [...svg.matchAll(/data-line="([^"]+)"/g)].map((match) => match[1]);
      const others = { roll: "roll", turn: "next", offer: "no", rob: ["Blue", "Red", "Yellow"][Math.floor(Math.random() * 3)] };
      screen.stdin.write(`:${places.length && phase !== "rob" ? places[0] : others[phase]}\r`);
      seen = Math.random() < 0.2 ? "" : number + phase;
      if (phase === "rob") seen = "";
      await watcher.waitForTimeout(300);
    }
  };
  await Promise.all([play(page, "mouse", () => (left -= 1) >= 0), type()]);
  const text = await watcher.textContent("#log");
  for (const [colour, last] of [["Blue", "next"], ["Red", "roll"], ["Orange", "next"]]) assert.ok(text.includes(`${colour}: ${last}`), colour);
  assert.deepEqual([page.faults, watcher.faults], [[], []]);
});

// Does what happens in a tab when another one comes to the front.
async function hide(page) {
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForFunction(() => stream === null);
}

test("seven tabs in one profile", limit, async (t) => {
  const server = await serve(t, folder(t), ...ONE);
  const browser = await browse(t);
  const first = await open(browser, server.links.Blue);
  const tabs = [first];
  while (tabs.length < 7) {
    // A browser has six connections to a host: these five must let theirs go.
    if (tabs.length === 5) await Promise.all(tabs.map(hide));
    const tab = await first.context().newPage();
    await tab.goto(server.watch);
    await tab.waitForSelector("#board svg");
    tabs.push(tab);
  }
  await first.bringToFront();
  await first.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  assert.equal(await answer(first, "mouse"), "settle");
});

test("a second tab takes the seat, and the first can take it back", limit, async (t) => {
  const server = await serve(t, folder(t), ...ONE);
  const browser = await browse(t);
  const [first, second] = [await open(browser, server.links.Blue), await open(browser, server.links.Blue)];
  await first.waitForSelector("#again:not([hidden])");
  assert.match(await first.textContent("#turn"), /played from another place/);
  await answer(second, "mouse");
  await first.click("#again");
  await second.waitForSelector("#again:not([hidden])");
  await answer(first, "mouse");
  assert.deepEqual([first.faults, second.faults], [[], []]);
});

test("the server is killed and started again while a page is open", limit, async (t) => {
  const path = folder(t);
  const server = await serve(t, path, ...ONE);
  const page = await open(await browse(t), server.links.Blue);
  for (let count = 0; count < 8; count += 1) await answer(page, "mouse");
  await turn(page);
  const text = await page.textContent("#log");
  await server.kill();
  await page.waitForFunction(() => document.querySelector("#turn").textContent.startsWith("The connection is lost"));
  await serve(t, path, ...ONE);
  await page.waitForFunction(() => document.querySelector("#turn").textContent.startsWith("Your "));
  assert.ok((await page.textContent("#log")).startsWith(text));
  for (let count = 0; count < 8; count += 1) await answer(page, "typed");
});

test("a line without an answer says so, and is not taken twice", limit, async (t) => {
  const server = await serve(t, folder(t), ...ONE);
  const page = await open(await browse(t), server.links.Blue);
  let held = 0;
  await page.route("**/line", async (route) => {
    if (route.request().postData() !== "20" || (held += 1) > 1) return route.continue();
    await route.fetch(); // The answer is lost on its way.
    await page.waitForTimeout(6_000);
    return route.abort();
  });
  await page.fill("#line", "20");
  await page.press("#line", "Enter");
  await page.waitForFunction(() => document.querySelector("#reply").textContent.startsWith("No answer yet"));
  await page.waitForFunction(() => /gone on since/.test(document.querySelector("#reply").textContent));
  assert.equal((await page.textContent("#log")).split("Blue: 20").length, 2);
});

test("what others wrote is text, the past can be looked at, and watchers cannot play", limit, async (t) => {
  const hostile = "exec:cat '<img src=x onerror=alert(1)>'";
  const server = await serve(t, folder(t), "-random-board", "-players", `human,"${hostile}",greedy,greedy`.replaceAll('"', ""));
  const browser = await browse(t);
  const page = await open(browser, server.links.Blue);
  assert.match(await page.textContent("#rows"), /<img src=x onerror=alert\(1\)>/);
  assert.equal(await page.locator("img").count(), 0);
  for (let count = 0; count < 4; count += 1) await answer(page, "typed");
  await turn(page);
  await page.click("#back");
  await page.waitForSelector("#board.past");
  assert.match(await page.textContent("#moment"), /^The board after line \d+ of \d+: /);
  assert.equal(await page.locator(".choice.on, #answers button").count(), 0);
  await page.click("#latest");
  await page.waitForSelector("#board:not(.past)");
  await page.fill("#line", "nonsense <b>");
  await page.press("#line", "Enter");
  await page.waitForFunction(() => document.querySelector("#reply").textContent.startsWith("nonsense <b>: "));
  assert.equal(await page.locator("#reply b").count(), 0);
  const watcher = await open(browser, server.watch);
  assert.ok(await watcher.isHidden("#command"));
  assert.deepEqual([page.faults, watcher.faults], [[], []]);
});

test("the browser that the server starts has the seat, once", limit, async (t) => {
  const path = folder(t);
  writeFileSync(join(path, "xdg-open"), '#!/bin/sh\nprintf %s "$1" > opened\n', { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = `${path}:${before}`;
  const server = await serve(t, path, "-open", ...ONE);
  process.env.PATH = before;
  const link = server.text.match(/Your browser opens, once: (\S+)/)[1];
  const browser = await browse(t);
  const page = await open(browser, link);
  assert.equal(readFileSync(join(path, "opened"), "utf8"), link);
  assert.equal(await answer(page, "mouse"), "settle");
  await page.reload();
  assert.equal(await turn(page), "settle", "its second placement");
  const other = await browser.newPage();
  await other.goto(link);
  await other.waitForFunction(() => /was good once/.test(document.querySelector("#turn").textContent));
});

test("from a click to the new board", { timeout: 600_000 }, async (t) => {
  const browser = await browse(t);
  const times = [];
  for (let left = Number(process.env.DECISIONS || 60); left > 0;) {
    // In memory, so that the time of the disk is left out.
    const path = folder(t, "/dev/shm");
    const server = await serve(t, path, "-random-board", "-players", "human,random,random,random");
    const page = await open(browser, server.links.Blue);
    await page.evaluate(() => {
      let clicked = 0;
      globalThis.times = [];
      document.addEventListener("click", (event) => {
        if (event.target.closest(".choice, #answers button")) clicked = performance.now();
      }, true);
      new MutationObserver(() => {
        if (clicked) globalThis.times.push(performance.now() - clicked);
        clicked = 0;
      }).observe(document.querySelector("#board"), { childList: true });
    });
    await play(page, "mouse", () => (left -= 1) >= 0);
    times.push(...await page.evaluate(() => globalThis.times));
    await page.close();
    await server.kill();
  }
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.floor((times.length - 1) * share)].toFixed(1);
  t.diagnostic(`${times.length} decisions: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, longest ${at(1)} ms`);
});

// PICTURES=write makes the pictures of the README anew.
test("pictures", { ...limit, skip: process.env.PICTURES !== "write" }, async (t) => {
  const browser = await browse(t);
  for (let isTaken = false; !isTaken;) {
    const server = await serve(t, folder(t), "-random-board", "-players", "human,greedy,greedy,greedy", "-clock", "120");
    const page = await open(browser, server.links.Blue, { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 });
    let decisions = 0;
    await play(page, "touch", async (phase) => {
      isTaken = phase === "turn" && (decisions += 1) > 12 && await page.locator("#kinds button").count() > 0;
      return !isTaken;
    });
    if (!isTaken) continue;
    await page.tap("#kinds button");
    await page.screenshot({ path: join(ROOT, "docs/table-phone.png") });
    const wide = await open(browser, server.links.Blue, { viewport: { width: 1024, height: 640 }, colorScheme: "dark", deviceScaleFactor: 1.5 });
    await turn(wide);
    await wide.click("#kinds button");
    await wide.screenshot({ path: join(ROOT, "docs/table-wide.png") });
  }
});
