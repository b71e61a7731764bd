// Which browsers the tests run in: BITEXACT_BROWSERS=chromium,firefox,webkit picks some.
import { describe } from 'node:test';
import { openPuppet } from './puppet.mjs';
import { openWebKit } from './webkit.mjs';

export const openTab = (name, options) => (name === 'webkit' ? openWebKit(options) : openPuppet(name, options));

const wanted = (process.env.BITEXACT_BROWSERS ?? 'chromium,firefox,webkit').split(',');

export function eachBrowser(suite) {
  for (const name of wanted) describe(name, { timeout: 900_000 }, () => suite(name));
}
