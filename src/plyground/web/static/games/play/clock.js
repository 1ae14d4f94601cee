// The clocks of a game, which run on between two messages of the server.
//
//   const clocks = createClocks(show)     show(seat, text, { low, running }) is called a few times a second
//   clocks.set(game.clocks)               what the server has said just now, or null
//   clocks.stop()

import { clockText } from "/static/games/play/values.js";

export function createClocks(show) {
  let facts = null;
  let since = 0;
  let timer = 0;

  function draw() {
    if (!facts) return;
    const passed = (performance.now() - since) / 1000;
    facts.left.forEach((left, seat) => {
      const running = facts.running === seat;
      let seconds = running ? left - passed : left;
      if (running && facts.move !== null && facts.move !== undefined) seconds = Math.min(seconds, facts.move - passed);
      show(seat, clockText(seconds), { low: running && seconds < 10, running });
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
