// Short animations, and none for those who want none.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export const LONGEST = 240; // milliseconds

export class Motion {
  running = {};

  // Calls `frame` with 0 to 1; a new animation of the same name takes the place of the old one.
  animate(name, duration, frame) {
    this.stop(name);
    if (!duration || calm.matches) return frame(1);
    const begin = performance.now();
    const tick = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / duration));
      if (part < 1) this.running[name] = requestAnimationFrame(tick);
      frame(1 - (1 - part) ** 3);
    };
    this.running[name] = requestAnimationFrame(tick);
    frame(0);
  }

  // Calls `frame` with the seconds since the last call until it answers false.
  repeat(name, frame) {
    this.stop(name);
    let last = performance.now();
    const tick = (now) => {
      this.running[name] = requestAnimationFrame(tick);
      const passed = Math.max(0, now - last) / 1000;
      last = now;
      if (frame(passed) === false) this.stop(name);
    };
    this.running[name] = requestAnimationFrame(tick);
  }

  stop(name) {
    cancelAnimationFrame(this.running[name]);
  }

  stopAll() {
    for (const name of Object.keys(this.running)) this.stop(name);
  }
}
