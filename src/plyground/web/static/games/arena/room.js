// A room of the arena: what a class looks at together, on a projector and on its phones. It shows a tournament as it is held,
// and then the next one. Only whoever has opened the room, or is at the server's machine, has buttons.

import { about, get, lineOf, live, post, remove } from "/static/api.js";
import { announce, toastError } from "/static/dialogs.js";
import { breakable, fill, h, sign } from "/static/dom.js";
import { pairAddress } from "/static/games/arena/arena.js";
import { liveBoards } from "/static/games/arena/boards.js";
import { calledBy, titleOf } from "/static/games/arena/names.js";
import { crosstable, pointsText, standingsTable } from "/static/games/arena/tables.js";
import { LOOPBACK } from "/static/games/play/invitation.js";
import { t } from "/static/i18n.js";
import { keys } from "/static/keyboard.js";

const MOST_CROSSED = 24; // of a larger field the standing is shown, which can still be read from the last row

export function mount(root, { params, setTitle }) {
  let room = null; // as the server knows it
  let now = {}; // the tournament that is shown
  let known = null;
  let socket = null;
  let frame = 0;
  let gone = false;
  let called = (name) => name;
  const title = h("h1", t("arena.room"));
  const badge = h("span.badge", { hidden: true });
  const bar = h("progress.arena-progress", { max: 1, value: 0, "aria-label": t("arena.tournament") });
  const count = h("span.tabular", { hidden: true });
  const said = h("p.muted", { role: "status" });
  const won = h("p.room-won", { hidden: true });
  const table = standingsTable();
  const cross = crosstable();
  const boards = liveBoards();
  const coming = h("ol.room-next");
  const comingPanel = h("section", { hidden: true }, h("h2", t("arena.next")), coming);
  const join = h("section.room-join");
  const tools = h("div.row.room-tools");
  const tablePart = h("div.room-table.scroll", { tabindex: 0, role: "region", "aria-label": t("arena.table") });
  const boardsPart = h("section", h("h2", t("arena.boards")), boards.element);
  const page = h("div.room", h("header", h("div.room-head", h("div.row", title, badge), h("div.row.arena-count", bar, count), won, said, tools), join),
    h("div.room-parts", tablePart, h("div.room-side", boardsPart, comingPanel)));
  fill(root, page);

  const act = (work) => () => work().catch(toastError);
  const full = () => (document.fullscreenElement ? document.exitFullscreen() : page.requestFullscreen?.()).catch?.(() => {});

  function drawTools() {
    const { state } = now;
    const button = (name, icon, run, look = "") => h(`button.button${look}`, { type: "button", onclick: run }, sign(icon), t(name));
    fill(tools,
      room?.holds && state === "running" && button("arena.stop", "stop", act(() => remove(`/api/tournaments/${now.id}`)), ".danger"),
      room?.holds && (state === "stopped" || state === "failed") && button("arena.resume", "play", act(() => post(`/api/tournaments/${now.id}/resume`))),
      room?.yours && state && state !== "running" && button("arena.room.again", "again", act(() => post(`/api/arena/rooms/${room.id}/next`)), ".primary"),
      room?.yours && state !== "running" && h("a.button", { href: `/arena?room=${room.id}` }, sign("cup"), t("arena.room.choose")),
      room?.tournament && h("a.button.quiet", { href: `/arena?tournament=${encodeURIComponent(room.tournament)}` }, sign("search"), t("arena.room.details")),
      document.fullscreenEnabled && button("arena.room.full", "board", full, ".quiet"));
  }

  // Phones come by the address at which others find the server: a projector's browser may be on the server itself.
  function drawJoin() {
    const here = LOOPBACK.test(location.hostname);
    const address = `${here && room.address ? room.address : location.origin}/arena/room/${room.id}`;
    fill(join, h("div", h("h2", t("arena.room.join")), h("p.room-address", address.replace(/^https?:\/\//, "").split(/(?=\/)/).flatMap((part) => [h("wbr"), part])),
      room.code && h("p", t("arena.room.code"), " ", h("b.mono", room.code.replace(/^(.{4})/, "$1-"))),
      here && !room.address && h("p.small.muted", t("invite.here"))),
    h("img.qr", { src: `/api/qr?${new URLSearchParams({ text: address })}`, alt: t("invite.qr"), width: 200, height: 200 }));
  }

  function draw() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const rows = now.rows ?? [];
      const crossed = now.players?.length <= MOST_CROSSED;
      fill(tablePart, rows.length > 0 && (crossed ? cross : table).element);
      tablePart.classList.toggle("many", crossed && rows.length > 9);
      if (crossed) cross.show(now, called, (...names) => pairAddress(now.id, ...names));
      else table.show({ rows }, called);
      bar.max = now.total || 1;
      bar.value = now.done ?? 0;
      count.hidden = !now.total;
      count.textContent = now.total ? t("arena.progress", now) : "";
      const first = rows.filter((row) => row.share !== null && row.share === rows[0].share);
      won.hidden = now.state !== "done" || !first.length;
      if (!won.hidden) fill(won, sign("cup"), h("strong", breakable(first.map((row) => called(row.name)).join(", "))), h("span.muted", t("arena.room.won", { count: first.length, points: pointsText(rows[0].points), one: rows[0].points > 1 ? 2 : 1 })));
    });
  }

  function facts(one) {
    now = { ...now, ...one };
    called = calledBy(known, one.game);
    title.textContent = titleOf(one.game, known);
    setTitle(t("title.of", { what: `${t("arena.room")} ${params.id}`, name: title.textContent }));
    badge.hidden = false;
    badge.className = `badge ${one.state === "running" ? "accent" : one.state === "failed" ? "bad" : one.state === "done" ? "good" : ""}`;
    badge.textContent = t(`arena.state.${one.state}`);
    said.textContent = one.message ? lineOf({ error: one.message, code: one.code }) : "";
    const still = one.state !== "running";
    if (still) boards.clear();
    boardsPart.hidden = still;
    comingPanel.hidden ||= still;
    page.classList.toggle("room-still", still);
    drawTools();
    draw();
  }

  function next({ round, next: pairs }) {
    comingPanel.hidden = !pairs.length && now.kind !== "swiss";
    fill(coming, now.kind === "swiss" && h("li.muted", t("arena.round", { round, rounds: now.rounds })), pairs.map((names) => h("li", breakable(names.map(called).join(" – ")))));
  }

  // What may be done is different for everybody, and is asked for whenever the room turns to another tournament.
  async function ask() {
    room = await get(`/api/arena/rooms/${encodeURIComponent(params.id)}`);
    if (gone) return;
    drawTools();
    drawJoin();
  }

  function hear(message) {
    if (message.type === "room") {
      if (message.tournament !== now.id) {
        now = {};
        boards.clear();
        fill(tablePart);
      }
      if (!message.tournament) said.textContent = t("arena.room.empty");
      if (message.tournament !== room.tournament) ask().catch(toastError);
    } else if (message.type === "tournament") facts(message);
    else if (message.type === "table") {
      now = { ...now, ...message };
      said.textContent = "";
      if (message.ended) boards.ended(message.ended.key);
      draw();
    } else if (message.type === "board") boards.show(message, called);
    else if (message.type === "next") next(message);
    else if (message.type === "compiling") said.textContent = t("arena.compiling");
    else if (message.type === "end") {
      if (now.state === "running") announce(`${t(`arena.state.${message.state}`)}. ${t("arena.progress", message)}`);
      facts(message);
    }
  }

  setTitle(`${t("arena.room")} ${params.id}`);
  Promise.all([about(), ask()]).then(([found]) => {
    if (gone) return;
    known = found;
    socket = live(`/ws/arena/rooms/${encodeURIComponent(params.id)}`, { message: hear, state: (state) => page.classList.toggle("room-lost", state === "lost") });
  }).catch((error) => {
    if (error.status !== 404) toastError(error);
    else fill(root, h("div.page", h("header", h("h1", t("arena.room.none")), h("p.lead", t("arena.room.none.about"))), h("a.button.primary", { href: "/arena" }, t("page.arena"))));
  });
  const release = keys([{ key: "f", label: "arena.room.full", run: full }], "arena.room");
  return () => {
    gone = true;
    release();
    cancelAnimationFrame(frame);
    socket?.close();
  };
}
