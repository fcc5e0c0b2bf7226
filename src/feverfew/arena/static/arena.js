// Times in the reader's own zone, and how long is left. The server's clock decides.
"use strict";

const counts = document.querySelectorAll("time[data-counts]");
for (const one of document.querySelectorAll("main time")) {
  const own = new Date(one.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  one.title = one.textContent;
  one.textContent = `${own} (your time)`;
}
const skew = Date.now() - new Date(document.querySelector("[data-now]")?.dataset.now ?? Date.now()).getTime();

function tick() {
  for (const one of counts) {
    const left = Math.max(0, new Date(one.dateTime).getTime() - (Date.now() - skew));
    const parts = [86400000, 3600000, 60000, 1000].reduce(
      ([rest, said], unit) => [rest % unit, [...said, Math.floor(rest / unit)]], [left, []],
    )[1];
    const [days, hours, minutes, seconds] = parts;
    one.nextElementSibling.textContent = left
      ? ` in ${days} d ${hours} h ${minutes} min ${seconds} s` : " now";
  }
}
if (counts.length) { tick(); setInterval(tick, 1000); }
