// What scripts add to forms that work without them: no reload, keys, autosave, warnings, time.
"use strict";

document.documentElement.classList.add("scripted");
const address = document.body.dataset.task;
const say = (text) => { document.getElementById("live").textContent = text; };
const form = () => document.getElementById("task");

// Time: only what passes while the page is looked at and someone moves, types or clicks.
let active = 0, last = performance.now(), moved = performance.now();
for (const kind of ["keydown", "pointermove", "pointerdown", "scroll"]) {
  addEventListener(kind, () => { moved = performance.now(); }, { passive: true });
}
setInterval(() => {
  const now = performance.now();
  if (!document.hidden && now - moved < 60000) active += now - last;
  last = now;
}, 1000);

function fields(button) {
  const data = new URLSearchParams(new FormData(form()));
  data.set("active", String(Math.round(active)));
  if (button) data.append(button.name, button.value);
  return data;
}

let queue = Promise.resolve();
let dirty = false;

// Forms are sent one after the other, and what comes back replaces the task.
function send(button, quietly) {
  const data = fields(button);
  active = 0;
  dirty = false;
  queue = queue.then(async () => {
    const response = await fetch(address, {
      method: "POST", body: data, headers: { Accept: "text/html" }, redirect: "follow",
    });
    if (quietly) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (page.body.dataset.task !== address) { location.assign(response.url); return; }
    show(page, button);
  }).catch(() => say("The server cannot be reached. Your text is kept on this page."));
  return queue;
}

function show(page, button) {
  const focused = document.activeElement?.dataset?.ref || button?.dataset?.ref;
  const id = document.activeElement?.id;
  const place = scrollY, side = document.querySelector(".side")?.scrollTop;
  document.getElementById("main").replaceWith(document.importNode(page.getElementById("main"), true));
  document.title = page.title;
  wire();
  const again = (focused && document.querySelector(`[data-ref="${CSS.escape(focused)}"]`)) ||
    document.querySelector("[autofocus]") || (id && document.getElementById(id));
  const wrong = document.querySelector(".wrong[role=alert]");
  const moves = /^(open|result|search|enter|back|jump|results):?/.test(button?.value || "");
  scrollTo(0, moves ? 0 : place);
  if (document.querySelector(".side")) document.querySelector(".side").scrollTop = side || 0;
  if (wrong) { wrong.tabIndex = -1; wrong.focus(); say(wrong.textContent); }
  else if (again) again.focus({ preventScroll: !moves });
  else if (moves) document.getElementById("q")?.focus();
}

// A piece of evidence is marked at once, and confirmed by the server.
function take(button) {
  const taken = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(taken));
  button.closest(".element")?.classList.toggle("taken", taken);
  button.firstElementChild.textContent = taken ? "✓" : "+";
  say(taken ? "Taken" : "Removed");
  send(button);
}

function press(button) {
  if (!button || button.disabled) return;
  if (button.classList.contains("take")) take(button);
  else send(button);
}

const elements = () => [...document.querySelectorAll(".element")].filter((one) => one.querySelector(".take"));
let current = -1;

function step(by) {
  const all = elements();
  if (!all.length) return;
  const at = all.findIndex((one) => one.contains(document.activeElement));
  current = Math.min(Math.max((at < 0 ? (by > 0 ? -1 : all.length) : at) + by, 0), all.length - 1);
  document.querySelector(".element.current")?.classList.remove("current");
  all[current].classList.add("current");
  const button = all[current].querySelector(".take");
  button.focus({ preventScroll: true });
  all[current].scrollIntoView({ block: "nearest" });
}

function verdict(key) {
  const radio = document.querySelector(`input[data-key="${key}"]`);
  if (!radio) return;
  radio.checked = true;
  radio.focus();
  say(radio.parentElement.textContent.trim());
  dirty = true;
}

const ACTIONS = {
  next: () => step(1), previous: () => step(-1),
  take: () => press(document.activeElement?.closest(".element")?.querySelector(".take")),
  set1: () => set(0), set2: () => set(1), set3: () => set(2),
  supported: () => verdict("s"), refuted: () => verdict("r"), nei: () => verdict("n"),
  expand: () => press(document.activeElement?.closest(".element")?.querySelector(".expand")),
  search: () => document.getElementById("q")?.focus(),
  find: () => document.getElementById("find")?.focus(),
  undo: () => press(document.querySelector('button[value="undo"]')),
  help: () => say("j and k move, space takes, 1 to 3 choose a set, s r n give the verdict."),
};
const KEYS = { j: "next", k: "previous", " ": "take", 1: "set1", 2: "set2", 3: "set3", s: "supported",
  r: "refuted", n: "nei", e: "expand", "/": "search", f: "find", u: "undo", "?": "help" };
const set = (n) => press(document.querySelector(`button[value="set:${n}"]`));

function wire() {
  if (!form()) return;
  form().addEventListener("submit", (event) => {
    event.preventDefault();
    press(event.submitter || document.querySelector('button[value="enter"]'));
  });
  form().addEventListener("input", (event) => {
    dirty = true;
    if (event.target.dataset.rule) check(event.target);
  });
}

// Rules are checked while people type.
const waiting = new Map();
function check(area) {
  clearTimeout(waiting.get(area));
  waiting.set(area, setTimeout(async () => {
    const token = form().querySelector("[name=token]").value;
    const rule = area.dataset.rule;
    const label = area.closest(".field").querySelector("label").textContent;
    const asked = { text: area.value, mutation: rule, original: label.split(": ").slice(1).join(": ") };
    if (rule === "hover" || rule === "create" || rule === "extend") return;
    const response = await fetch("/v1/rules", { method: "POST", body: JSON.stringify(asked),
      headers: { "Content-Type": "application/json", "X-Token": token } });
    if (!response.ok) return;
    const list = area.closest(".field").querySelector(".hits");
    list.replaceChildren();
    let negated = false;
    for (const { line, hits } of await response.json()) {
      for (const hit of hits) {
        const item = document.createElement("li");
        const tag = document.createElement("span");
        tag.className = "tag";
        tag.textContent = hit.rule;
        item.append(tag, ` “${line}”: ${hit.message}`);
        list.append(item);
        negated ||= hit.rule === "trivial-negation";
      }
    }
    area.closest(".field").classList.toggle("warned", negated);
  }, 400));
}

// A page without a draft sends its time along with its form.
for (const field of document.querySelectorAll("[data-active]")) {
  field.form.addEventListener("submit", () => { field.value = String(Math.round(active)); });
}

if (address) {
  wire();
  fetch("/v1/me").then((r) => r.json()).then((me) => Object.assign(KEYS, me.keys || {})).catch(() => {});
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      press(document.getElementById("confirm"));
      return;
    }
    const typing = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const inElement = event.target.closest(".element");
    if (event.key === " " && !inElement) return;
    const action = ACTIONS[KEYS[event.key]];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // Drafts are kept on the server while people type, and when they leave.
  const keep = document.createElement("button");
  keep.name = "do";
  keep.value = "save";
  setInterval(() => { if (dirty) send(keep, true); }, 5000);
  addEventListener("pagehide", () => {
    if (!dirty) return;
    const data = fields(keep);
    navigator.sendBeacon(address, data);
  });
}
