// The server, spoken to.
//
//   await get("/api/games"), post("/api/games", body), remove("/api/games/3")   JSON; throws ApiError with the server's line
//   lineOf({ error, code })              what the server says, in the visitor's language if it is known there
//   await about()                        what there is: games, players, cards, lessons (asked for once)
//   live("/ws/games/3", { message(data), state("open"|"lost"|"refused", reason) })
//                                        -> { send(data), close() }; the socket comes back by itself when it is lost
//   searches() -> { run(what, details, { event(data), done(), error(line) }) -> { stop() }, close() }
//                                        one socket for all searches of a page; closing it ends them

import { hasWord, t } from "/static/i18n.js";

export const lineOf = ({ error, code }) => (hasWord(`error.${code}`) ? t(`error.${code}`, { line: error }) : error ?? "");

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "");
  }
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!answer.ok) throw new ApiError(answer.status, data?.error ? lineOf(data) : answer.statusText);
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
    socket = new WebSocket(address(path));
    socket.onopen = () => {
      tries = 0;
      state("open");
    };
    hear(socket, (found) => closed || message(found));
    socket.onclose = ({ code, reason }) => {
      if (closed) return;
      if (REFUSED.includes(code)) {
        state("refused", reason);
        return;
      }
      state("lost");
      timer = setTimeout(connect, Math.min(8000, 400 * 2 ** tries));
      tries += 1;
    };
  };
  connect();
  return {
    send: (data) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(data)),
    close() {
      closed = true;
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
      else if (answer.event === "error") wanted.error?.(lineOf(answer));
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
