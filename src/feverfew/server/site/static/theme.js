// Before anything is drawn: the theme that was chosen, and that scripts run.
(function () {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const chosen = localStorage.getItem("feverfew-theme");
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch (refused) {
    // A browser that keeps nothing shows what the system says.
  }
})();
