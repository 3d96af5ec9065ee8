// A server of a table, a browser, and players who use the page as people do.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = process.env.CONSTRUCTOR || join(ROOT, "constructor");
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";
const PATIENCE = 60_000;

// A folder that is removed at the end of a test.
export function folder(test, parent = tmpdir()) {
  const path = mkdtempSync(join(parent, "table-"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

// Serves a table from a folder. `links` has the links that were shown, by colour; `watch` is the address for those who watch.
export async function serve(test, path, ...options) {
  const child = spawn(PROGRAM, ["serve", "-record", "table.jsonl", ...options], { cwd: path, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.on("exit", done));
  const server = { links: {}, watch: "", text: "", ended, kill: () => (child.kill("SIGKILL"), ended) };
  server.order = (line) => child.stdin.write(line + "\n");
  test.after(() => server.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    server.text += line + "\n";
    const link = line.match(/^(Blue|Red|Orange|Yellow|to watch): +(http\S+)/);
    if (link && link[1] === "to watch") server.watch = link[2];
    else if (link) server.links[link[1]] = link[2];
    if (line.startsWith("end ")) break;
  }
  child.stdout.resume();
  return server;
}

// Starts a browser for a test.
export async function browse(test, options = {}) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-quic"], ...options });
  test.after(() => browser.close());
  return browser;
}

// Opens a link in a context of its own. What the page must never do is collected in `page.faults`.
export async function open(browser, link, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  watch(page, new URL(link).origin);
  await page.goto(link);
  await page.waitForSelector("#board svg");
  return page;
}

function watch(page, origin) {
  page.faults = [];
  page.on("console", (message) => page.faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) page.faults.push(`request: ${request.url()}`);
  });
}

// Waits until it is this page's turn, or the game is over, and until all that has come is shown. Returns the phase.
export async function turn(page) {
  await page.waitForFunction(() => /^Your turn| wins /.test(document.title) && !isDrawing && !isBusy && shown === view.n);
  return page.evaluate(() => document.body.dataset.phase);
}

// What a player sees: the places by kind, the answers, and whether a trade can be offered.
function look(page) {
  return page.evaluate(() => ({
    places: [...document.querySelectorAll(".choice")].map(({ dataset }) => ({ kind: dataset.kind, line: dataset.line })),
    answers: [...document.querySelectorAll("#answers button")].map((one) => one.textContent),
    canTrade: !document.querySelector("#trade").hidden,
    number: document.querySelector("#at").max,
    phase: document.body.dataset.phase,
  }));
}

// Chooses as a player who builds what counts, and offers a trade now and then.
function choose({ places, answers, canTrade }, random) {
  for (const kind of ["improve", "basement", "geese"]) {
    const some = places.filter((place) => place.kind === kind);
    if (some.length) return some[Math.floor(random() * some.length)];
  }
  const roads = places.filter((place) => place.kind === "road");
  if (roads.length && random() < 0.4) return roads[Math.floor(random() * roads.length)];
  if (canTrade && random() < 0.1) return { trade: true };
  return { line: answers[Math.floor(random() * answers.length)] };
}

// Presses Tab until the element that has the focus matches.
async function tab(page, selector) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

// Plays by `click` or `tap`.
function pointing(press) {
  return async (page, { kind, line, trade }, phase) => {
    if (trade) return page[press]("#trade button");
    if (!kind) return page[press](`#answers button:text-is("${line}")`);
    if (phase === "turn") await page[press](`#kinds [data-kind="${kind}"][aria-pressed=false]`);
    return page[press](`.choice.on[data-line="${line}"] .dot`);
  };
}

// The ways to play. Each gives an answer that was chosen.
export const WAYS = {
  mouse: pointing("click"),
  touch: pointing("tap"),
  async keyboard(page, { kind, line, trade }, phase) {
    if (trade) await tab(page, "#trade button");
    else if (!kind) await tab(page, `#answers button:nth-child(${1 + await page.evaluate((text) =>
      [...document.querySelectorAll("#answers button")].findIndex((one) => one.textContent === text), line)})`);
    else {
      if (phase === "turn") {
        await tab(page, `#kinds [data-kind="${kind}"]`);
        await page.keyboard.press("Enter");
      } else await tab(page, ".choice.on");
      for (const arrow of ["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"].slice(0, Math.floor(Math.random() * 5))) {
        await page.keyboard.press(arrow);
      }
    }
    return page.keyboard.press("Enter");
  },
  async typed(page, { line, trade }) {
    const text = trade ? await page.evaluate(() =>
      ["to", "give", "take"].reduce((text, id) => `${text} ${document.getElementById(id).value}`, "trade")) : line;
    await page.fill("#line", text);
    return page.press("#line", "Enter");
  },
};

// Gives one answer, and waits for its effect. Returns the phase.
export async function answer(page, way, random = Math.random) {
  await turn(page);
  const seen = await look(page);
  await WAYS[way](page, choose(seen, random), seen.phase);
  await page.waitForFunction((number) => document.querySelector("#at").max !== number
    || document.querySelector("#reply").textContent, seen.number);
  return seen.phase;
}

export const isOver = (page) => page.evaluate(() => / wins /.test(document.title));

// Plays until the game is over, or `before`, which is called before each answer, returns `false`.
export async function play(page, way, before = () => true) {
  for (;;) {
    const phase = await turn(page);
    if (await isOver(page) || await before(phase) === false) return;
    await answer(page, way);
  }
}
