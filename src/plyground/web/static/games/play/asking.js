// What a page asks the server to change in a game: one thing at a time, and again until there is an answer. The server does
// nothing twice, so that what was done on a bad network is done once, as soon as it can be.
//
//   const server = createAsking(url, { take(game), draw(), stale(body) })   stale says of what waits whether it makes sense still
//   await server.ask("move", { action, at })   the answer, which was taken; null if there is none, and the visitor knows why
//   server.busy       something is asked, and neither answered here nor told by the socket
//   server.unsent     it waits for a connection
//   server.told()     the socket has told what came of it
//   server.close()

import { get, post } from "/static/api.js";
import { toastError } from "/static/dialogs.js";

const FIRST_PAUSE = 500; // milliseconds between two tries
const LONGEST_PAUSE = 8000;
const ONCE = ["rematch", "retry"];

export function createAsking(url, { take, draw, stale }) {
  let asking = null;
  let unsent = false;
  let closed = false;

  async function insist(path, body) {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
      try {
        return await post(`${url}/${path}`, body);
      } catch (error) {
        if (error.status || ONCE.includes(path)) throw error;
        unsent = true;
        draw();
        await new Promise((resolve) => { setTimeout(resolve, pause); });
        if (closed || stale(body)) return null;
      }
    }
  }

  async function ask(path, body) {
    if (asking) return null;
    const mine = asking = {};
    draw();
    let answer = null;
    try {
      answer = await insist(path, body);
    } catch (error) {
      if (error.status === 409) get(url).then(take, toastError);
      if (error.code !== "lapsed") toastError(error);
    }
    unsent = false;
    if (asking === mine) asking = null;
    if (closed) return null;
    if (answer && url.endsWith(`/${encodeURIComponent(answer.id)}`)) take(answer);
    draw(); // also where the socket was faster, and there was nothing new
    return answer;
  }

  return {
    ask,
    get busy() { return asking !== null; },
    get unsent() { return unsent; },
    told: () => { asking = null; },
    close: () => { closed = true; },
  };
}
