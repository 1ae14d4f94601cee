// Runs before anything is painted: light or dark as the visitor has chosen, here or in the app, which keeps it by the same
// name. Then what the theme's own script expects to find: where the site begins, and how it keeps what it remembers.

(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(`plyground.${name}`);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".site-theme")) return;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("plyground.theme", root.dataset.theme);
    } catch { /* then it lasts as long as the page */ }
  });

  const start = new URL("..", document.currentScript.src);
  document.addEventListener("DOMContentLoaded", () => {
    // The app serves the site at /docs/, with a way back; from the disk there is no app to go to.
    if (!location.protocol.startsWith("http") || start.pathname !== "/docs/") return;
    document.querySelector(".site-app").hidden = false;
    for (const link of document.querySelectorAll("a[data-app]")) link.href = link.dataset.app;
  });

  // Tables that are too wide can be moved sideways by the keyboard too; the theme puts frames around them.
  const reachable = () => {
    for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
      if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  };
  for (const event of ["load", "resize"]) window.addEventListener(event, reachable);

  window.__md_scope = start;
  window.__md_hash = (text) => [...text].reduce((sum, letter) => (sum << 5) - sum + letter.charCodeAt(0), 0);
  window.__md_get = (name, storage = localStorage, scope = start) => JSON.parse(storage.getItem(`${scope.pathname}.${name}`));
  window.__md_set = (name, value, storage = localStorage, scope = start) => {
    try {
      storage.setItem(`${scope.pathname}.${name}`, JSON.stringify(value));
    } catch { /* nothing is kept then */ }
  };
})();
