"use strict";
// A seat of a table, or a place among those who watch. This script knows no rules: it shows what the server says, and sends lines.

const PATIENCE = 5000; // ms until a line without an answer is late
const SILENCE = 40000; // ms after which a stream is lost; the server says every 15 s that it is there
const LEAVE = 10000; // ms until a hidden page closes its stream
const $ = (id) => document.getElementById(id);
const stored = (storage, key) => { try { return storage.getItem(key); } catch { return null; } };
const store = (storage, key, value) => { try { storage.setItem(key, value); } catch { /* This browser keeps nothing. */ } };

let token = "", view = null, presence = null;
let first = 0, number = 0, shown = 0; // the lines of the record: the header, the last one that has come, and the one that is shown
let past = null; // the line that is looked at, or null for the present
let kind = null; // the places that can be pointed at
let stream = null, heard = 0; // what ends the stream, and when something came
let isBusy = false, isOver = false; // a line is on its way; the stream does not come back by itself
let wasYours = false, clockEnd = null, leaving = 0, audio = null, isDrawing = false, drawAgain = false;
const moments = new Map(); // the text of each line
const make = (tag, textContent = "", className = "") => Object.assign(document.createElement(tag), { textContent, className });
const button = (text, onclick) => Object.assign(make("button", text), { type: "button", onclick });
const setText = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };
const units = (hand) => Object.entries(hand).map(([name, count]) => `${count}\u00a0${name}`).join(", ");
const authorization = () => (token ? { Authorization: `Bearer ${token}` } : {});
const isLater = ({ status }) => status === 429 || status >= 500; // the table is busy, or a proxy has no table
const request = (path, options = {}) => fetch(path, { signal: AbortSignal.timeout(10000), ...options, headers: { ...authorization(), ...options.headers } });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function follow() {
  for (let wait = 250; !isOver && !stream && !document.hidden; wait = Math.min(wait * 2, 8000)) {
    const ends = stream = new AbortController();
    try {
      heard = Date.now();
      const response = await request(`events?after=${number}`, { signal: ends.signal });
      if (isLater(response)) throw new Error(`status ${response.status}`);
      if (response.status === 401) store(sessionStorage, "token", ""); // so that a link for watching works in this tab
      if (!response.ok) return end((await response.text()).trim());
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        [heard, wait] = [Date.now(), 250];
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        lines.filter((line) => line.trim()).forEach((line) => take(JSON.parse(line)));
        if (isOver) return;
      }
      throw new Error("the table has closed the connection");
    } catch (error) {
      if (stream !== ends) return; // left on purpose
      stream = null;
      setText("turn", `The connection is lost (${error.message}); joining again`);
    }
    await pause(wait);
  }
}

function leave() {
  const ends = stream;
  stream = null;
  ends?.abort();
}

function end(text) {
  isOver = true;
  leave();
  setText("turn", text);
  show();
}

function take(message) {
  switch (message.type) {
    case "record": return takeLine(message);
    case "view":
      [view, isBusy, kind] = [{ ...message.view, n: message.n }, false, null];
      setText("reply", "");
      clockEnd = message.clock === null ? null : performance.now() + message.clock * 1000;
      $("log").setAttribute("aria-busy", "false");
      return draw();
    case "presence": presence = message; return showBuilders();
    case "notice":
      if (message.text.startsWith(`${view?.you}: `)) beep(); // the warning
      return log(message.text);
    case "reveal":
      return log(`The dice came from seed ${message.seed} and nonce ${message.nonce}; the header of the game is committed to them.`);
    case "replaced":
      end("This seat is played from another place now, or its link is void.");
      $("again").hidden = false;
      $("again").focus();
  }
}

function takeLine({ n, line, said }) {
  if (line.type === "game") {
    $("log").replaceChildren();
    $("log").setAttribute("aria-busy", "true");
    moments.clear();
    [first, past] = [n, null];
  }
  number = n;
  const words = {
    game: () => "The game begins.",
    player: () => `${line.player === "human" ? "A person" : line.player} plays ${line.builder}.`,
    seat: () => `${line.builder} has come.`,
    result: () => `${line.winner || "Nobody"} wins.`,
    undefined: () => `${line.builder}: ${line.typed || line.action}` + (line.dice ? ` (${line.dice.join(" + ")})` : ""),
  }[line.type];
  moments.set(n, words ? words() : line.type);
  log(moments.get(n), said);
}

function log(text, said, isReply) {
  const item = make("li");
  item.append(make("span", text));
  if (said) item.append(make(isReply ? "pre" : "span", said, "said"));
  const box = $("log");
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  box.append(item);
  while (box.childElementCount > 2000) box.firstElementChild.remove();
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

// Fetches the board, then shows the position: what can be done comes with the board.
async function draw() {
  drawAgain = true;
  if (isDrawing) return;
  isDrawing = true;
  while (drawAgain) {
    drawAgain = false;
    const response = await request(past === null ? "board.svg" : `board.svg?at=${past}`).catch(() => null);
    const svg = response?.ok && await response.text().catch(() => ""); // Without it, the stream says that the connection is lost.
    const hadFocus = document.activeElement.closest("#board, #decision");
    if (svg) {
      const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      $("board").replaceChildren(document.adoptNode(picture));
    }
    show();
    if (hadFocus && document.activeElement === document.body) focusDecision();
  }
  isDrawing = false;
}

const places = () => [...$("board").querySelectorAll("[data-line]")];
const firstPlace = () => $("board").querySelector(".choice.on");
const toDecide = "#kinds button, body:not([data-phase=turn]) #answers button"; // a second Enter does not end the turn
const focusDecision = () => (firstPlace() || document.querySelector(toDecide) || $("decision")).focus({ preventScroll: true });
const isYours = () => Boolean(view && view.you && view.decides === view.you && view.can.length);

function show() {
  if (!view) return;
  shown = view.n;
  document.body.dataset.phase = view.phase;
  const yours = isYours() && past === null && !isOver;
  $("board").className = past === null ? "" : "past";
  const all = yours ? places() : [];
  const kinds = [...new Set(all.map((place) => place.dataset.kind))];
  if (!kinds.includes(kind)) kind = null;
  // Outside of turns there is nothing else to do than to point at a place.
  if (kinds.length === 1 && view.phase !== "turn") kind = kinds[0];
  showTurn();
  showKinds(all, kinds);
  const ofPlaces = new Set(all.map((place) => place.dataset.line));
  const answers = yours ? view.can.filter((line) => !ofPlaces.has(line)) : [];
  if (view.phase === "offer") answers.sort().reverse();
  $("answers").replaceChildren(...answers.map((line) => button(line, () => send(line))));
  showTrade(yours);
  const missing = Object.entries(view.missing).map(([thing, hand]) => `${thing}: ${units(hand)} missing`);
  setText("missing", yours && view.phase === "turn" ? missing.join("\n") : "");
  const { dice, offer } = view;
  setText("dice", dice ? `Last roll: ${dice[0]} + ${dice[1]} = ${dice[0] + dice[1]}` : "");
  setText("offer", offer ? `${offer.from} gives 1 ${offer.give} and takes 1 ${offer.take} of ${offer.to}.` : "");
  const hand = view.builders.find((one) => one.builder === view.you)?.hand;
  setText("hand", hand ? `You have ${units(hand) || "nothing"}.` : "");
  $("since").hidden = !view.news;
  setText("happened", view.news);
  showBuilders();
  showHistory();
}

function showTurn() {
  const yours = isYours();
  const who = view.winner ? `${view.winner} wins` : view.decides ? `${view.decides} decides` : "The game is over";
  if (!isOver) setText("turn", view.decides && view.decides === view.you ? `Your ${view.phase === "offer" ? "answer" : "turn"}, ${view.you}` : who);
  document.title = `${yours ? "Your turn" : who} – Constructor`;
  const place = kind ? `Choose a place on the board: ${kind}` : "Your decision";
  setText("question", isOver ? "" : yours ? place : view.winner ? `${who}.` : view.you ? `You are ${view.you}. ${who}.` : `You watch. ${who}.`);
  setText("how", yours && !isOver ? view.question : "");
  $("command").hidden = !token || isOver;
  if (yours && !wasYours) beep();
  wasYours = yours;
}

// Shows which places can be chosen: one kind at a time, so that each is large enough.
function showKinds(all, kinds) {
  const choose = (chosen, event) => {
    kind = kind === chosen ? null : chosen;
    show();
    if (event.detail === 0) firstPlace()?.focus(); // pressed by a key
    else if (kind) $("board").scrollIntoView({ block: "nearest" });
  };
  const focused = $("kinds").contains(document.activeElement) && document.activeElement.dataset.kind;
  const buttons = view.phase === "turn" ? kinds.map((one) => {
    const count = all.filter((place) => place.dataset.kind === one).length;
    const element = button(`${one} (${count})`, (event) => choose(one, event));
    element.dataset.kind = one;
    return Object.assign(element, { ariaPressed: String(kind === one) });
  }) : [];
  $("kinds").replaceChildren(...buttons);
  if (focused) (buttons.find((one) => one.dataset.kind === focused) || $("decision")).focus();
  places().forEach((place) => place.classList.toggle("on", all.length > 0 && place.dataset.kind === kind));
  firstPlace()?.setAttribute("tabindex", "0");
}

function showTrade(yours) {
  const hand = (builder) => Object.keys(view.builders.find((one) => one.builder === builder).hand);
  const others = view.builders.map((one) => one.builder).filter((one) => one !== view.you && hand(one).length);
  $("trade").hidden = !yours || !view.can_trade || !others.length;
  if ($("trade").hidden) return;
  options("to", others);
  options("give", hand(view.you));
  options("take", hand($("to").value).filter((resource) => resource !== $("give").value));
}

// Fills a list, and keeps what is chosen in it.
function options(id, values) {
  const list = $(id), chosen = list.value;
  if (values.join() === [...list.options].map((option) => option.value).join()) return;
  list.replaceChildren(...values.map((value) => make("option", value)));
  if (values.includes(chosen)) list.value = chosen;
}

function showBuilders() {
  if (!view) return;
  const state = (seat) => ({
    computer: seat.player,
    here: "here",
    awaited: "has not come yet",
    gone: seat.left ? `gone; a computer decides in ${seat.left} s` : "gone; a computer decides",
  })[seat.state];
  const rows = view.builders.map(({ builder, points, hand }, index) => {
    const row = make("tr", undefined, builder === view.decides ? "decides" : "");
    const name = Object.assign(make("th"), { scope: "row" });
    const letter = Object.assign(make("span", builder.slice(0, 1), `mark mark-${index}`), { ariaHidden: "true" });
    name.append(letter, builder + (builder === view.you ? " (you)" : "") + (builder === view.decides ? " \u25c0" : ""));
    row.append(name, make("td", points), make("td", units(hand) || "nothing"), make("td", presence ? state(presence.seats[index]) : ""));
    return row;
  });
  $("rows").replaceChildren(...rows);
  $("paused").hidden = !presence?.paused;
}

function showHistory() {
  $("history").hidden = number <= first;
  const at = past ?? number;
  Object.assign($("at"), { min: first, max: number, value: at });
  $("at").setAttribute("aria-valuetext", `Line ${at} of ${number}: ${moments.get(at) || ""}`);
  $("back").disabled = at <= first;
  $("forward").disabled = $("latest").disabled = past === null;
  setText("moment", past === null ? "" : `The board after line ${past} of ${number}: ${moments.get(past) || "the beginning"}. All else is as it is now; Now goes back to playing.`);
}

const look = (at) => { past = at >= number ? null : Math.max(first, at); draw(); };

async function send(line) {
  if (isBusy || !line.trim()) return;
  if (isOver) return setText("reply", "The table is left; load the page again to come back.");
  if (!token) return setText("reply", "You only watch; playing needs the link of a seat.");
  isBusy = true;
  if (past !== null) look(number);
  const after = shown;
  if (!stream) setText("reply", "The connection is lost; the line is sent once it is back.");
  const late = setTimeout(() => setText("reply", "No answer yet: the connection may be lost, or the table's disk slow. The line is sent again until there is an answer."), PATIENCE);
  try {
    const reply = await post(line, after);
    const text = reply.text.replace(/\s*(^|\n)> ?$/, "").trimEnd(); // without the prompt
    const isRefused = reply.status !== 200 || reply.refused;
    // What a line has done comes with the stream, to everybody.
    if (!isRefused && reply.n <= after) log(line, text, true);
    setText("reply", isRefused ? `${line}: ${text}` : "");
  } catch (error) {
    setText("reply", `The line may not have been taken: ${error.message}.`);
  }
  clearTimeout(late);
  isBusy = false;
}

// Sends a line that is only taken after line `after`, until there is an answer: it is never taken twice.
async function post(line, after) {
  for (const begun = Date.now(); ;) {
    try {
      const response = await request("line", { method: "POST", headers: { "If-Match": `"${after}"` }, body: line });
      const text = await response.text();
      const isJson = (response.headers.get("Content-Type") || "").includes("json");
      if (!isLater(response) || Date.now() - begun > SILENCE) {
        return { refused: true, n: 0, text, ...(isJson ? JSON.parse(text) : {}), status: response.status };
      }
    } catch (error) {
      if (Date.now() - begun > SILENCE) throw error;
    }
    await pause(500);
  }
}

// Says that a page with a stream is still there. A hidden page learns so that its turn has come.
async function beat() {
  if (!token || isOver) return;
  try {
    const response = await request("line", { method: "POST", body: "" });
    if (stream || !response.ok) return;
    const isTurn = Boolean((await response.json()).text);
    document.title = `${isTurn ? "Your turn" : "Waiting"} – Constructor`;
    if (isTurn && !wasYours) beep();
    wasYours = isTurn;
  } catch { /* The stream says that the connection is lost. */ }
}

function beep() {
  // A browser lets a page sound only after its first click or key.
  if ($("sound").getAttribute("aria-pressed") !== "true" || !navigator.userActivation.hasBeenActive) return;
  audio = audio || new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: 660 }), volume = new GainNode(audio, { gain: 0.15 });
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}

function setSound(isOn) {
  $("sound").setAttribute("aria-pressed", String(isOn));
  store(localStorage, "sound", isOn ? "on" : "off");
}

// Moves to the nearest place in the direction of an arrow key.
function move(from, dx, dy) {
  const distance = (place) => {
    const [x, y] = ["cx", "cy"].map((name) => place.firstChild[name].baseVal.value - from.firstChild[name].baseVal.value);
    const [along, across] = [x * dx + y * dy, x * dy - y * dx];
    return along > 1 ? along + 2 * Math.abs(across) : Infinity;
  };
  const [near] = [...$("board").querySelectorAll(".choice.on")].sort((one, other) => distance(one) - distance(other));
  if (distance(near) === Infinity) return;
  from.setAttribute("tabindex", "-1");
  near.setAttribute("tabindex", "0");
  near.focus();
}

$("board").onclick = ({ target }) => { if (target.closest(".choice")) send(target.closest(".choice").dataset.line); };
$("board").addEventListener("keydown", (event) => {
  const place = event.target, arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (!place.dataset.line) return;
  if (arrows[event.key]) move(place, ...arrows[event.key]);
  else if (event.key === "Enter" || event.key === " ") { if (!event.repeat) send(place.dataset.line); }
  else if (event.key === "Escape" && view.phase === "turn") { kind = null; show(); focusDecision(); }
  else return;
  event.preventDefault();
});
$("command").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isBusy) return;
  send($("line").value);
  $("line").value = "";
});
$("trade").addEventListener("submit", (event) => {
  event.preventDefault();
  send(`trade ${$("to").value} ${$("give").value} ${$("take").value}`);
});
$("to").onchange = $("give").onchange = show;
$("at").oninput = () => look(Number($("at").value));
$("back").onclick = () => look((past ?? number) - 1);
$("forward").onclick = () => look(past + 1);
$("latest").onclick = () => look(number);
$("sound").onclick = () => { setSound($("sound").getAttribute("aria-pressed") !== "true"); beep(); };
$("again").onclick = () => { $("again").hidden = true; isOver = false; follow(); };
document.addEventListener("visibilitychange", () => {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(leave, LEAVE);
  else follow();
});
setInterval(beat, 15000);
setInterval(() => {
  if (stream && Date.now() - heard > SILENCE) stream.abort(new Error("the table has been silent for too long"));
  const left = clockEnd === null || !view || !view.decides ? null : Math.max(0, Math.ceil((clockEnd - performance.now()) / 1000));
  setText("clock", left === null ? "" : `${left} s`);
}, 1000);

// The token moves from the link into the session, so that it is not in the address.
async function begin() {
  const fragment = location.hash.slice(1);
  token = fragment.startsWith("once-") ? "" : fragment || stored(sessionStorage, "token") || "";
  if (fragment.startsWith("once-")) {
    const response = await request("open", { method: "POST", body: fragment.slice(5) }).catch(() => null);
    if (!response?.ok) return end(response ? (await response.text()).trim() : "The table does not answer; load this page again.");
    token = (await response.text()).trim();
  }
  if (fragment) history.replaceState(null, "", location.pathname);
  store(sessionStorage, "token", token);
  setSound(stored(localStorage, "sound") !== "off");
  if (!document.hidden) follow();
}
window.onhashchange = () => location.reload();
begin();
