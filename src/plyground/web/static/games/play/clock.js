// The clocks of a game, which run on between two messages of the server.
//
//   const clocks = createClocks(show, serverNow)   show(seat, text, { seconds, low, running }) is called a few times a second
//   clocks.set(game.clocks)                        what the server has said, or null
//   clocks.stop()
//
// What the server says was so at `now` of its own clock, see server_time.js: a message that was long on its way is not a
// clock that is late. Until that clock is known, a message is taken for as old as it has been here.

import { clockText } from "/static/games/play/values.js";

export function createClocks(show, serverNow = () => null) {
  let facts = null;
  let since = 0;
  let timer = 0;

  function draw() {
    if (!facts) return;
    const now = serverNow();
    const passed = now === null ? (performance.now() - since) / 1000 : Math.max(0, now - facts.now);
    facts.left.forEach((left, seat) => {
      const running = facts.running === seat;
      let seconds = running ? left - passed : left;
      if (running && facts.move !== null && facts.move !== undefined) seconds = Math.min(seconds, facts.move - passed);
      show(seat, clockText(seconds), { seconds, low: running && seconds < 10, running });
    });
  }

  return {
    set(next) {
      facts = next;
      since = performance.now();
      clearInterval(timer);
      if (!facts) return;
      draw();
      if (facts.running !== null) timer = setInterval(draw, 100);
    },
    stop: () => clearInterval(timer),
  };
}
