// How wide text is, by the table of plyground/pictures/lettering.py, so that pages and pictures agree.

export function makeLettering({ widths: table, beyond, bold: stronger, piece }) {
  const widths = new Map();
  for (const [width, characters] of Object.entries(table)) {
    for (const character of characters) widths.set(character, Number(width));
  }
  const measured = new Map();
  const unbroken = new RegExp(piece, "gu");

  function textWidth(text, size, bold = false) {
    let total = measured.get(text);
    if (total === undefined) {
      total = 0;
      for (const character of text) {
        const code = character.codePointAt(0);
        total += widths.get(character) ?? beyond.find(([end]) => code < end)[1];
      }
      measured.set(text, total);
    }
    return total * size * (bold ? stronger : 1);
  }

  function shortened(text, size, width, bold = false) {
    if (textWidth(text, size, bold) <= width) return text;
    let result = "";
    for (const character of text) {
      if (textWidth(result + character + "…", size, bold) > width) break;
      result += character;
    }
    return result.trimEnd() + "…";
  }

  function wrapped(text, size, width) {
    const lines = [];
    for (const [found] of text.matchAll(unbroken)) {
      const word = shortened(found.trim(), size, width);
      const joined = (found.startsWith(" ") ? " " : "") + word;
      const last = lines.length - 1;
      if (lines.length && textWidth(lines[last] + joined, size) <= width) lines[last] += joined;
      else lines.push(word);
    }
    return lines;
  }

  return { textWidth, shortened, wrapped };
}
