// A GIF that moves, made of pictures in a canvas (GIF89a; CompuServe 1990).
//
//   const gif = new Gif(width, height);  gif.add(context.getImageData(0, 0, width, height).data, seconds);  gif.blob()
//
// One palette serves all pictures: the 255 colours that cover most of the first look at them, exact where a surface has
// one colour. Of each picture only what has changed is written.

const COLOURS = 255; // and one that is none: what stays as it was
const CLEAR = 255;

// Colours that are alike fall together: 5 bits of red and blue, 6 of green.
const bucketOf = (red, green, blue) => ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3);

function paletteOf(pictures) {
  const [counts, reds, greens, blues] = [0, 1, 2, 3].map(() => new Float64Array(65536));
  for (const data of pictures) {
    for (let i = 0; i < data.length; i += 4) {
      const bucket = bucketOf(data[i], data[i + 1], data[i + 2]);
      counts[bucket] += 1;
      reds[bucket] += data[i];
      greens[bucket] += data[i + 1];
      blues[bucket] += data[i + 2];
    }
  }
  const used = [...counts.keys()].filter((bucket) => counts[bucket]).sort((one, two) => counts[two] - counts[one]).slice(0, COLOURS);
  return used.map((bucket) => [reds, greens, blues].map((sums) => Math.round(sums[bucket] / counts[bucket])));
}

// The number of the nearest colour, by bucket.
function nearest(palette) {
  const known = new Int16Array(65536).fill(-1);
  return (red, green, blue) => {
    const bucket = bucketOf(red, green, blue);
    if (known[bucket] >= 0) return known[bucket];
    let [best, least] = [0, Infinity];
    palette.forEach(([r, g, b], number) => {
      const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + 3 * (b - blue) ** 2;
      if (distance < least) [best, least] = [number, distance];
    });
    return (known[bucket] = best);
  };
}

// Lempel, Ziv and Welch, with codes of 9 bits that grow to 12, in blocks of 255 bytes.
export function compressed(pixels) {
  const [reset, end] = [256, 257];
  const bytes = [8];
  let block = [];
  let [bits, held, size, next] = [0, 0, 9, 258];
  let codes = new Map();
  const put = (code) => {
    bits |= code << held;
    held += size;
    while (held >= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      held -= 8;
      if (block.length === 255) {
        bytes.push(255, ...block);
        block = [];
      }
    }
  };
  put(reset);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = (prefix << 8) | pixels[i];
    const code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next === 4096) {
      put(reset);
      [size, next] = [9, 258];
      codes = new Map();
    } else {
      codes.set(key, next);
      if (next === 1 << size) size += 1;
      next += 1;
    }
    prefix = pixels[i];
  }
  put(prefix);
  put(end);
  if (held) block.push(bits & 255);
  if (block.length) bytes.push(block.length, ...block);
  bytes.push(0);
  return new Uint8Array(bytes);
}

const word = (number) => [number & 255, number >> 8];

export class Gif {
  constructor(width, height) {
    Object.assign(this, { width, height, pictures: [], delays: [] });
  }

  add(data, seconds) {
    this.pictures.push(data);
    this.delays.push(Math.max(2, Math.round(seconds * 100)));
  }

  blob() {
    const { width, height, pictures, delays } = this;
    const palette = paletteOf(pictures);
    const numberOf = nearest(palette);
    const table = new Uint8Array(3 * 256);
    palette.forEach((colour, number) => table.set(colour, 3 * number));
    const parts = [
      new TextEncoder().encode("GIF89a"), new Uint8Array([...word(width), ...word(height), 0xf7, 0, 0]), table,
      new Uint8Array([0x21, 0xff, 11]), new TextEncoder().encode("NETSCAPE2.0"), new Uint8Array([3, 1, 0, 0, 0]), // again and again
    ];
    let before = null;
    pictures.forEach((data, place) => {
      const now = new Uint8Array(width * height);
      for (let i = 0; i < now.length; i++) now[i] = numberOf(data[4 * i], data[4 * i + 1], data[4 * i + 2]);
      const box = before ? changed(before, now, width) : { left: 0, top: 0, right: width, bottom: height };
      const [wide, high] = [box.right - box.left, box.bottom - box.top];
      const pixels = new Uint8Array(wide * high);
      for (let y = 0; y < high; y++) {
        for (let x = 0; x < wide; x++) {
          const at = (y + box.top) * width + x + box.left;
          pixels[y * wide + x] = before && before[at] === now[at] ? CLEAR : now[at];
        }
      }
      parts.push(
        new Uint8Array([0x21, 0xf9, 4, before ? 0x05 : 0x04, ...word(delays[place]), CLEAR, 0]), // what was there stays
        new Uint8Array([0x2c, ...word(box.left), ...word(box.top), ...word(wide), ...word(high), 0]),
        compressed(pixels),
      );
      before = now;
    });
    return new Blob([...parts, new Uint8Array([0x3b])], { type: "image/gif" });
  }
}

// The least rectangle in which two pictures differ; one pixel if they do not.
function changed(before, now, width) {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (let i = 0; i < now.length; i++) {
    if (before[i] === now[i]) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return right ? { left, top, right, bottom } : { left: 0, top: 0, right: 1, bottom: 1 };
}
