// A page of its own that shows the film it holds.

import { mountFilmstrip } from "./filmstrip.js";
import { begin, held, openPage } from "./page.js";

globalThis.strip = openPage(held.title, mountFilmstrip(document.querySelector("main"), held, { at: begin }));
