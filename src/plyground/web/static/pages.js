// The pages of the app: one entry makes a page, its address and its place in the menu.
//
//   path      "/play/:id?" matches /play and /play/3; the parts come as context.params
//   title     a word of the dictionary: the menu, and the window's title
//   sign      an icon of dom.js
//   module    imported when the page is first shown; exports `mount(root, context)`, which returns an unmount function
//   style     the page's own style sheets: an address, a list of them, or none
//   words     the page's own dictionaries, words/<name>.en.json and words/<name>.zh.json
//   menu      "bar" for a place in the bar, true for one in the group "Explore", false for none
//   needs     what /api/about must say that there is; else it has an address, and no place in the menu
//   framed    whether pages of other sites may show it in a frame; it has no bar, and nothing in it changes anything
//   about     a word of the dictionary: one sentence for the home page
//
// context = { params, query: URLSearchParams, navigate(path, { replace }), setQuery({ name: value | [values] | null }),
//             setTitle(text), loadStyle(address) -> a promise, loadPage(path) -> a promise of a page's module, kept, within }
// `kept` is an object that stays the same while the visitor stays on the address, also when the page is mounted again in
// another language. `within` is the figure of a lesson that shows the page, and hears its keys; on a page of its own there
// is none. `setQuery` changes the address without mounting the page again.

// A page of the laboratory: everything about it has the subject's name.
const subject = (name, sign, ...styles) => ({
  path: `/${name}`, title: `page.${name}`, sign, module: `/static/lab/${name}.js`, words: [name], style: styles.map((style) => `/static/${style}.css`), menu: true, about: `page.${name}.about`,
});

export const PAGES = [
  { path: "/", title: "page.home", module: "/static/home.js", style: ["/static/games/play/tiles.css", "/static/home.css"], menu: false },
  { path: "/play", title: "page.play", sign: "board", module: "/static/games/play/setup.js", style: ["/static/games/play/tiles.css", "/static/games/play/opponents.css", "/static/games/play/play.css"], menu: "bar", about: "page.play.about" },
  { path: "/play/:id", title: "page.play", module: "/static/games/play/table.js", style: "/static/games/play/play.css", menu: false },
  { path: "/library", title: "page.library", sign: "book", module: "/static/games/library/library.js", words: ["library"], style: ["/static/games/play/tiles.css", "/static/games/library/library.css"], menu: false },
  { path: "/analyze", title: "page.analyze", sign: "graph", module: "/static/games/analyze/analyze.js", words: ["analyze"], style: ["/static/games/analyze/review.css", "/static/games/analyze/analyze.css"], menu: "bar", about: "page.analyze.about" },
  { path: "/watch", title: "page.watch", sign: "tree", module: "/static/lab/watch/watch.js", words: ["watch"], style: ["/static/pictures/guessing.css", "/static/pictures/replay.css", "/static/lab/watch/watch.css"], menu: "bar", about: "page.watch.about" },
  { path: "/arena", title: "page.arena", sign: "cup", module: "/static/games/arena/arena.js", words: ["arena"], style: ["/static/games/play/opponents.css", "/static/games/arena/arena.css"], menu: "bar", about: "page.arena.about" },
  { path: "/arena/room/:id", title: "page.room", module: "/static/games/arena/room.js", words: ["arena"], style: ["/static/games/arena/arena.css", "/static/games/arena/room.css"], menu: false },
  { path: "/arena/games/:key", title: "page.arena", module: "/static/games/arena/arena_game.js", words: ["watch", "arena"], style: ["/static/games/analyze/review.css", "/static/games/arena/arena.css"], menu: false },
  { path: "/learn", title: "page.learn", sign: "cap", module: "/static/lab/learn/chapters.js", words: ["learn"], style: "/static/lab/learn/learn.css", menu: "bar", about: "page.learn.about" },
  { path: "/learn/:name", title: "page.learn", module: "/static/lab/learn/lesson.js", words: ["learn"], style: "/static/lab/learn/learn.css", menu: false },
  { path: "/embed/game", title: "page.embed", module: "/static/share/embed_game.js", style: ["/static/games/analyze/review.css", "/static/share/embed.css"], menu: false, framed: true },
  { path: "/embed/film", title: "page.embed", module: "/static/share/embed_film.js", words: ["watch"], style: ["/static/pictures/guessing.css", "/static/pictures/replay.css", "/static/lab/watch/watch.css", "/static/share/embed.css"], menu: false, framed: true },
  subject("bandits", "arms", "charts", "lab/bandits"),
  subject("queens", "crown", "pictures/guessing", "pictures/filmstrip", "pictures/queens", "lab/squares", "lab/worlds"),
  subject("wumpus", "cave", "pictures/guessing", "pictures/filmstrip", "pictures/wumpus", "lab/worlds"),
  subject("matrix", "scales", "pictures/guessing", "pictures/filmstrip", "pictures/matrix", "lab/matrix"),
  subject("pacman", "pac", "pictures/guessing", "pictures/filmstrip", "pictures/pacman", "lab/pacman"),
  subject("hidden", "cards", "pictures/guessing", "pictures/filmstrip", "lab/squares", "lab/hidden"),
  subject("practice", "check", "pictures/guessing", "pictures/replay", "pictures/queens", "pictures/wumpus", "pictures/exercise", "lab/practice"),
  subject("puzzles", "hint", "lab/puzzles"),
  { path: "/workshop", title: "page.workshop", sign: "pen", module: "/static/lab/workshop/workshop.js", words: ["workshop"], style: "/static/lab/workshop/workshop.css", menu: true, needs: "workshop", about: "page.workshop.about" },
];
