// The server, spoken to.
//
//   await get("/api/games"), post("/api/games", body), remove("/api/games/3")   JSON; throws ApiError with the server's line
//                                        without an answer its status is 0, and the shell says so and looks for the server
//   lineOf({ error, code })              what the server says, in the visitor's language if it is known there
//   await about()                        what there is: games, players, cards, lessons (asked for once)
//   live("/ws/games/3", { message(data), state("open"|"lost"|"refused", reason) })
//                                        -> { send(data), close(), again() }; the socket comes back by itself when it is
//                                        lost; again() gives up one that nothing comes from, and makes another at once
//   searches() -> { run(what, details, { event(data), done(), error(line, code) }) -> { stop() }, close() }
//                                        one socket for all searches of a page; closing it ends them

import { hasWord, lineIn, t } from "/static/i18n.js";

export function lineOf({ error = "", code }) {
  const line = lineIn(error);
  if (!hasWord(`error.${code}`)) return line ?? error;
  const said = (filling) => t(`error.${code}`, { line: filling });
  return line === null || said("") === said(line) ? said(error) : line;
}

export class ApiError extends Error {
  constructor(status, message, code = "") {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }
}

// On a bad network an answer may never come, and nobody says so. What changes a game is answered at once.
const PATIENCE = 20_000;

function unanswered(method) {
  window.dispatchEvent(new CustomEvent("plyground:unanswered", { detail: method === "GET" ? "again" : "nothing" }));
  throw new ApiError(0, "");
}

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal: path.startsWith("/api/games/") ? AbortSignal.timeout(PATIENCE) : undefined,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    unanswered(method);
  }
  // The service worker answers with what it has kept.
  if (answer.headers.has("x-kept")) window.dispatchEvent(new CustomEvent("plyground:unanswered", { detail: "kept" }));
  const text = await answer.text().catch(() => { throw new ApiError(0, ""); });
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (data?.code === "503") unanswered(method); // the server ends
  if (!answer.ok) throw new ApiError(answer.status, data?.error ? lineOf(data) : answer.statusText, data?.code);
  return data;
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);

let known = null;
export function about() {
  known ??= get("/api/about").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

const address = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;

// Codes with which the server closes a socket for good: not let in, not there, not understood.
const REFUSED = [4401, 4403, 4404, 4422];

// Hands on what a socket hears. A message that is torn, as by a browser that shuts down, is a connection that is lost.
function hear(socket, take) {
  socket.onmessage = ({ data }) => {
    let found;
    try {
      found = JSON.parse(data);
    } catch {
      socket.close();
      return;
    }
    take(found);
  };
}

// Closes a socket; the browser would complain of one that has not been opened yet.
function hangUp(socket) {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}

export function live(path, { message, state = () => {} }) {
  let socket = null;
  let timer = 0;
  let tries = 0;
  let closed = false;
  const connect = () => {
    clearTimeout(timer);
    const mine = socket = new WebSocket(address(path));
    socket.onopen = () => {
      if (mine !== socket) return;
      tries = 0;
      state("open");
    };
    hear(socket, (found) => closed || mine !== socket || message(found));
    socket.onclose = ({ code, reason }) => {
      if (closed || mine !== socket) return;
      if (REFUSED.includes(code)) {
        state("refused", reason);
        return;
      }
      state("lost");
      // Not all browsers of a class at the same moment, when the server is there again.
      timer = setTimeout(connect, Math.min(8000, 400 * 2 ** tries) * (0.75 + Math.random() / 2));
      tries += 1;
    };
  };
  const again = () => {
    if (closed) return;
    const old = socket;
    connect();
    hangUp(old);
    state("lost");
  };
  const back = () => socket.readyState === WebSocket.CLOSED && again();
  window.addEventListener("online", back);
  connect();
  return {
    send: (data) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(data)),
    again,
    close() {
      closed = true;
      window.removeEventListener("online", back);
      clearTimeout(timer);
      hangUp(socket);
    },
  };
}

export function searches(path = "/ws/search") {
  const running = new Map();
  let socket = null;
  let waiting = [];
  let next = 1;
  const connect = () => {
    socket = new WebSocket(address(path));
    socket.onopen = () => {
      waiting.forEach((line) => socket.send(line));
      waiting = [];
    };
    hear(socket, (answer) => {
      const wanted = running.get(answer.id);
      if (!wanted) return;
      if (answer.event === "done" || answer.event === "error") running.delete(answer.id);
      if (answer.event === "done") wanted.done?.(answer);
      else if (answer.event === "error") wanted.error?.(lineOf(answer), answer.code);
      else wanted.event?.(answer);
    });
    socket.onclose = () => {
      socket = null;
      waiting = [];
      const lost = [...running.values()];
      running.clear();
      lost.forEach((wanted) => wanted.error?.(""));
    };
  };
  const send = (data) => {
    const line = JSON.stringify(data);
    if (!socket) connect();
    if (socket.readyState === WebSocket.OPEN) socket.send(line);
    else waiting.push(line);
  };
  return {
    run(what, details, listeners) {
      const id = next++;
      running.set(id, listeners);
      send({ id, do: what, ...details });
      return {
        stop() {
          if (running.delete(id)) send({ id, do: "stop" });
        },
      };
    },
    close() {
      running.clear();
      if (socket) hangUp(socket);
    },
  };
}
