// Sounds of the board, made by the browser; off until the visitor switches them on.
//
//   soundOn(), setSound(true)
//   sound("move"), sound("end"), sound("pass")

import { store, stored } from "/static/dom.js";

let audio = null;

export const soundOn = () => stored("sound") === "on";

export function setSound(on) {
  store("sound", on ? "on" : "off");
  if (on) sound("move");
}

const TONES = { move: [[320, 0, 0.05]], pass: [[260, 0, 0.08], [220, 0.1, 0.08]], end: [[392, 0, 0.12], [494, 0.12, 0.12], [587, 0.24, 0.2]] };

export function sound(kind) {
  if (!soundOn()) return;
  audio ??= new AudioContext();
  for (const [frequency, after, length] of TONES[kind]) {
    const start = audio.currentTime + after;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.18, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length + 0.02);
  }
}
