// The server's own clock, as this page knows it by asking on a socket, and whether the socket is still alive.
//
//   const time = createServerTime({ send(data), lost() })
//   time.opened(), time.closed()   the socket is open, or is not
//   time.hear(message)             an answer: { type: "time", ping, now }
//   time.now()                     seconds of the server's clock; null while nothing is known of it
//   time.error                     seconds by which that may be wrong at most
//   time.stop()
//
// An answer that took r seconds was given at some moment of these: whoever takes the middle is wrong by r / 2 at most. The
// quickest of the last answers counts. Where an answer does not come the connection is taken for lost, which browsers
// notice much later, or never.

const QUICK = 250; // milliseconds between the first questions
const SLOW = 8000; // and later
const PATIENCE = 15_000;
const ENOUGH = 0.03; // seconds: the clocks of two pages are then within a tenth of a second of each other
const FIRST = 12;
const KEPT = 8;

export function createServerTime({ send, lost }) {
  let samples = []; // { ahead, trip } in seconds
  let waiting = new Map(); // number -> when it was sent
  let asked = 0;
  let next = 1;
  let timer = 0;
  let alarm = 0;

  const best = () => samples.reduce((most, sample) => (!most || sample.trip < most.trip ? sample : most), null);

  function ask() {
    clearTimeout(timer);
    const number = next++;
    waiting.set(number, performance.now());
    send({ ping: number });
    asked += 1;
    if (waiting.size === 1) alarm = setTimeout(() => waiting.size && lost(), PATIENCE);
    const done = asked >= FIRST || (asked >= 3 && best()?.trip / 2 < ENOUGH);
    timer = setTimeout(ask, done ? SLOW : QUICK);
  }

  function closed() {
    clearTimeout(timer);
    clearTimeout(alarm);
    waiting = new Map();
    samples = []; // a server that has started again may be another machine
    asked = 0;
  }

  return {
    opened() {
      closed();
      ask();
    },
    closed,
    hear({ ping, now }) {
      const sent = waiting.get(ping);
      if (sent === undefined) return;
      const here = performance.now();
      waiting.clear();
      clearTimeout(alarm);
      samples = [...samples, { trip: (here - sent) / 1000, ahead: now - (sent + here) / 2000 }].slice(-KEPT);
    },
    now: () => (samples.length ? performance.now() / 1000 + best().ahead : null),
    get error() { return samples.length ? best().trip / 2 : Infinity; },
    stop: closed,
  };
}
