import type { Image, Preview } from 'bitexact';

export function drawOn(canvas: HTMLCanvasElement | null, { width, height, rgba }: Preview) {
  if (!canvas || !width || !height) return;
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
}

/** A picture whose pixels are grey levels, or undefined where nothing is. */
export function greyPicture(width: number, height: number, grey: (x: number, y: number) => number | undefined): Preview {
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let p = 0, y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x, p += 4) {
      const level = grey(x, y);
      if (level === undefined) continue;
      rgba.fill(level, p, p + 3);
      rgba[p + 3] = 255;
    }
  }
  return { width, height, rgba };
}

/** An image thinned until both sides are at most `side`; for the eye. */
export function thumbnail({ width, height, channels, bits, data }: Image, side: number): Preview {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / side));
  const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
  const rgba = new Uint8ClampedArray(4 * w * h);
  const shift = bits === 16 ? 8 : 0;
  const colours = channels > 2 ? [0, 1, 2] : [0, 0, 0];
  for (let p = 0, y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step, p += 4) {
      const at = (y * width + x) * channels;
      colours.forEach((c, k) => { rgba[p + k] = data[at + c]! >> shift; });
      rgba[p + 3] = channels % 2 ? 255 : data[at + channels - 1]! >> shift;
    }
  }
  return { width: w, height: h, rgba };
}
