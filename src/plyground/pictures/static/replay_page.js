// A page of its own that replays the drawing it holds.

import { begin, held, openPage } from "./page.js";
import { mountReplay } from "./replay.js";

globalThis.replay = openPage(held.title || held.words.tree, mountReplay(document.querySelector("main"), held, { step: begin }));
