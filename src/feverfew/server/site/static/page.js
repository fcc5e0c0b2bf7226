// What scripts add to pages that work without them: keys, the switch of themes, copying.
"use strict";

const root = document.documentElement;
const THEMES = ["auto", "light", "dark"];

function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch (refused) {
    // Then it lasts as long as the page.
  }
  return value ?? null;
}

function say(text) {
  document.querySelector("[data-says]").textContent = text;
}

// Themes

const themeSwitch = document.querySelector("[data-theme-switch]");

function theme() {
  return root.dataset.theme || "auto";
}

function showTheme() {
  themeSwitch.querySelector("[data-theme-name]").textContent = theme();
}

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  kept("feverfew-theme", next);
  showTheme();
  say(`Theme: ${next}`);
}

themeSwitch.hidden = false;
themeSwitch.addEventListener("click", nextTheme);
showTheme();

// Forms: Enter sends, Shift+Enter starts a line; while the server reads, the button says so.

for (const form of document.querySelectorAll("[data-ask]")) {
  const area = form.querySelector("textarea");
  const button = form.querySelector("button.primary");
  const label = button.textContent;
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (area.value.trim()) form.requestSubmit();
  });
  form.addEventListener("submit", () => {
    button.setAttribute("aria-disabled", "true");
    button.textContent = "Reading…";
    say("The claim is being checked.");
  });
  // Who comes back by the browser's button finds it as it was.
  window.addEventListener("pageshow", () => {
    button.removeAttribute("aria-disabled");
    button.textContent = label;
  });
}

// A remark on a verdict is sent without leaving the page.

for (const form of document.querySelectorAll("[data-remark]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const sent = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const said = document.createElement("p");
    said.className = "fine";
    said.setAttribute("role", "status");
    said.textContent = sent.ok ? "Noted. Thank you." : "It could not be saved. Reload the page and try again.";
    if (sent.ok) form.replaceWith(said);
    else form.append(said);
  });
}

// Copying a permalink; the link itself still works.

for (const link of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy the address: ${link.textContent}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(link.href);
      button.textContent = "Copied";
      say("Address copied.");
    } catch (refused) {
      say("The browser does not allow copying.");
    }
  });
  link.after(" ", button);
}

// Single keys, which can be switched off.

const keysSwitch = document.querySelector("[data-keys-switch]");
let keys = kept("feverfew-keys") !== "off";
if (keysSwitch) {
  keysSwitch.checked = keys;
  keysSwitch.addEventListener("change", () => {
    keys = keysSwitch.checked;
    kept("feverfew-keys", keys ? "on" : "off");
  });
}

function step(by) {
  const stops = [...document.querySelectorAll("[data-stop]")].filter((one) => one.offsetParent);
  if (!stops.length) return;
  const at = stops.indexOf(document.activeElement);
  const to = at < 0 ? (by > 0 ? 0 : stops.length - 1) : at + by;
  const stop = stops[Math.min(Math.max(to, 0), stops.length - 1)];
  stop.focus({ preventScroll: true });
  stop.scrollIntoView({ block: "center" });
  const wanted = stop.getAttribute("href") || "";
  if (wanted.startsWith("#")) show(document.getElementById(wanted.slice(1)));
}

// In a checked text, the finding of the sentence that one stands on is shown beside it.
function show(finding) {
  for (const one of document.querySelectorAll(".finding.current")) one.classList.remove("current");
  if (!finding) return;
  finding.classList.add("current");
  if (window.matchMedia("(min-width: 60rem)").matches) finding.scrollIntoView({ block: "start" });
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (!keys || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = {
    "/": () => document.querySelector("#claim, #q")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    t: nextTheme,
    "?": () => window.location.assign("/help#keyboard"),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
