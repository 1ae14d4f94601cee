// Runs before anything is painted: the theme and the language that the visitor has chosen, so that nothing flashes.
(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(`plyground.${name}`);
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const language = stored("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
})();
