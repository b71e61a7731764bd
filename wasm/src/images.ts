import type { Bridge, BridgeImage } from './bridge.js';
import * as check from './checks.js';
import { unwrap } from './errors.js';
import type { Outcome } from './errors.js';
import type { Instance } from './instance.js';
import type { Engine, Image } from './types.js';

type Images = Pick<Engine, 'decode' | 'encode' | 'resize' | 'dropAlpha' | 'luma' | 'imageToQ16'>;

export function makeImages(instance: Instance): Images {
  const answer = (use: (bridge: Bridge) => Outcome<BridgeImage>) => toImage(unwrap(instance.call(use)));

  return {
    decode(file, limits) {
      const bytes = check.bytes(file, 'file'), most = check.limits(limits);
      return answer((bridge) => bridge.decode(bytes, ...most));
    },
    encode(image, format) {
      const from = check.image(image, 'image'), png = check.oneOf(format, 'format', ['png', 'pnm']) === 'png';
      return unwrap(instance.call((bridge) => bridge.encode(from, png)));
    },
    resize(image, o) {
      const from = check.image(image, 'image'), to = check.object(o, 'options');
      const width = check.integer(to.width, 'width', 1, check.int32.max);
      const height = check.integer(to.height, 'height', 1, check.int32.max);
      const area = check.oneOf(to.method ?? 'bilinear', 'method', ['bilinear', 'area']) === 'area';
      return answer((bridge) => bridge.resize(from, width, height, area));
    },
    dropAlpha(image, background) {
      const from = check.image(image, 'image'), over = background === undefined || background === null ? null : colour(background);
      return answer((bridge) => bridge.dropAlpha(from, over));
    },
    luma(image) {
      const from = check.image(image, 'image');
      return answer((bridge) => bridge.luma(from));
    },
    imageToQ16(image, o) {
      const from = check.image(image, 'image'), norm = check.options(o);
      const mean = check.integers(norm.mean ?? [], 'mean'), std = check.integers(norm.std ?? [], 'std');
      const bytes = unwrap(instance.call((bridge) => bridge.imageToQ16(from, mean, std)));
      return { dtype: 'q16', shape: [from.channels, from.height, from.width], data: new Int32Array(bytes.buffer) };
    },
  };
}

function colour(value: unknown): number[] {
  const rgb = check.integers(value, 'background', 0, 255);
  check.integer(rgb.length, 'background.length', 3, 3);
  return rgb;
}

function toImage({ data, ...rest }: BridgeImage): Image {
  return { ...rest, data: rest.bits === 16 ? new Uint16Array(data.buffer) : data };
}
