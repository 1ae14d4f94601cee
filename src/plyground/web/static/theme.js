// Runs before anything is painted, and stands in the page itself: the themes, the language and the large type that the visitor has chosen,
// so that nothing flashes; and the fonts are sent for, except on a slow network, where the page itself comes first.
(() => {
  const stored = (name, where = "localStorage") => {
    try {
      return window[where].getItem(`plyground.${name}`);
    } catch {
      return null;
    }
  };
  // What is shown inside somebody else's page looks and speaks as that page says.
  const said = location.pathname.startsWith("/embed/") ? new URLSearchParams(location.search) : null;
  const theme = said ? said.get("theme") : stored("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const board = said ? said.get("board") : stored("board");
  if (/^(wood|slate|contrast)$/.test(board)) document.documentElement.dataset.board = board;
  if (!said && stored("present", "sessionStorage")) document.documentElement.dataset.present = "";
  const language = (said ? said.get("lang") : stored("language")) ?? (navigator.language.startsWith("zh") ? "zh" : "en");
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  if (/[23]g/.test(navigator.connection?.effectiveType ?? "")) return;
  for (const [name, type] of [["pictures/fonts/inter.ttf", "font/ttf"], ["fonts/source-serif-4.woff2", "font/woff2"]]) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "font", type, href: `/static/${name}`, crossOrigin: "" }));
  }
})();
