// What was checked before, in this browser's own memory: a list on the first page.
"use strict";

(function () {
  const KEY = "feverfew-history";
  const MOST = 30;

  function load() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) || "[]");
      return Array.isArray(found) ? found : [];
    } catch (refused) {
      return [];
    }
  }

  function save(list) {
    try {
      localStorage.setItem(KEY, JSON.stringify(list.slice(0, MOST)));
    } catch (refused) {
      // Then nothing is remembered.
    }
  }

  const checked = document.querySelector("[data-checked]");
  if (checked) {
    const own = { at: checked.dataset.at, title: checked.dataset.title, said: checked.dataset.checked };
    save([own, ...load().filter((one) => one.at !== own.at)]);
  }

  const section = document.querySelector("[data-history]");
  if (!section) return;
  const list = section.querySelector("ul");

  function show() {
    const base = document.querySelector("main").dataset.base;
    const known = load().filter((one) => String(one.at).startsWith(`${base}/`) && (base || !String(one.at).startsWith("/c/")));
    list.replaceChildren(
      ...known.slice(0, 6).map((one) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = one.at;
        const claim = document.createElement("span");
        claim.className = "claim";
        claim.dir = "auto";
        claim.textContent = one.title;
        const said = document.createElement("span");
        said.className = "shows";
        said.textContent = one.said;
        link.append(claim, said);
        item.append(link);
        return item;
      }),
    );
    section.hidden = known.length === 0;
  }

  section.querySelector("[data-forget]").addEventListener("click", () => {
    save([]);
    show();
  });
  show();
})();
