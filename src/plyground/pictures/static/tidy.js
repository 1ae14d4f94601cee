// Tidy trees, by the rules of plyground/pictures/tidy.py.

// Gives each place its `x`: subtrees as close as `gaps` allow, parents over the middle of their children. A place
// knows the index of the one `above` it, and its `size`: how far it reaches to the `left` and to the `right`.
export function tidy(places, gaps) {
  const families = places.map(() => []);
  places.forEach((place, i) => i && families[place.above].push(i));
  const offsets = new Array(places.length).fill(0);
  const outlines = new Array(places.length);
  for (let i = places.length - 1; i >= 0; i--) {
    const family = families[i].map((child) => outlines[child]);
    let outline = { left: [], right: [], leftShift: 0, rightShift: 0 };
    if (family.length) {
      const spots = spread(family, gaps);
      families[i].forEach((child, place) => { offsets[child] = spots[place]; outlines[child] = null; });
      outline = joined(family, spots);
    }
    outline.left.push(-places[i].size.left - outline.leftShift);
    outline.right.push(places[i].size.right - outline.rightShift);
    outlines[i] = outline;
  }
  places.forEach((place, i) => { place.x = i ? places[place.above].x + offsets[i] : 0; });
}

function spread(family, { gap, family_gap: familyGap }) {
  const rules = [];
  const early = [0];
  const facing = [0]; // the subtrees that are seen from the right, the tallest first
  for (let j = 1; j < family.length; j++) {
    const fresh = family[j];
    const height = fresh.left.length;
    let depth = 0, place = 0;
    for (let f = facing.length - 1; f >= 0 && depth < height; f--) {
      const old = family[facing[f]];
      const end = Math.min(old.right.length, height);
      let distance = -Infinity;
      for (; depth < end; depth++) {
        const space = old.right[old.right.length - 1 - depth] - fresh.left[height - 1 - depth];
        distance = Math.max(distance, space + (depth ? familyGap : gap));
      }
      distance += old.rightShift - fresh.leftShift;
      rules.push([facing[f], j, distance]);
      place = Math.max(place, early[facing[f]] + distance);
    }
    while (facing.length && family[facing[facing.length - 1]].left.length <= height) facing.pop();
    facing.push(j);
    early.push(place);
  }
  const end = early[early.length - 1];
  const late = early.map(() => end);
  for (const [i, j, distance] of rules.reverse()) late[i] = Math.min(late[i], late[j] - distance);
  return early.map((place, i) => place + ((late[i] - place) * i) / Math.max(1, family.length - 1) - end / 2);
}

function joined(family, spots) {
  const border = (side, shift, order) => {
    const seen = [];
    for (const i of order) {
      if (!seen.length || family[i].left.length > family[seen[seen.length - 1]].left.length) seen.push(i);
    }
    const tallest = seen.pop();
    const line = family[tallest][side];
    const move = family[tallest][shift] + spots[tallest];
    for (const i of seen.reverse()) {
      const own = family[i][side];
      const by = family[i][shift] + spots[i] - move;
      for (let k = 1; k <= own.length; k++) line[line.length - k] = own[own.length - k] + by;
    }
    return [line, move];
  };
  const order = family.map((_, i) => i);
  const [left, leftShift] = border("left", "leftShift", order);
  const [right, rightShift] = border("right", "rightShift", order.reverse());
  return { left, right, leftShift, rightShift };
}
