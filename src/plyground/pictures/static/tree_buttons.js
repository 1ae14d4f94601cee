// Buttons beside the picture of a tree, and those of them that bring it closer, further away, and whole into view.

export const CLOSER = 1.35;

const ZOOM = {
  closer: "M12 6v12M6 12h12",
  further: "M6 12h12",
  fit: "M5 9.5V5h4.5M14.5 5H19v4.5M19 14.5V19h-4.5M9.5 19H5v-4.5",
};

export const button = ([name, icon]) => `<button type="button" class="${name}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icon}"/></svg></button>`;

export const ZOOM_BUTTONS = Object.entries(ZOOM).map(button).join("");

export function label(element, text) {
  element.title = text;
  element.setAttribute("aria-label", text);
}

// Makes the buttons in `root` move a view, and names them.
export function moveByButtons(root, view, words) {
  const presses = {
    closer: () => view.zoom(CLOSER),
    further: () => view.zoom(1 / CLOSER),
    fit() {
      Object.assign(view, { touched: false, whole: true });
      view.fit(false);
    },
  };
  for (const [name, act] of Object.entries(presses)) {
    const element = root.querySelector(`.${name}`);
    element.onclick = act;
    label(element, words[name]);
  }
}
