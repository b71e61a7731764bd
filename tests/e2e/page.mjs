// What a person does with the page, in terms of its data-testid names; `tab` is puppet.mjs's or webkit.mjs's.
import { setTimeout as sleep } from 'node:timers/promises';

const POOLS = { '2,2/2,2': '2x2' };
const poolValue = ({ kind, kernel, stride }) => (kind === 'none' ? kind : POOLS[`${kernel}/${stride}`] && `${kind}${POOLS[`${kernel}/${stride}`]}`);

// The choices that give a pipeline's task, or undefined when the four lists cannot express it.
export function choicesFor(task) {
  const plain = (task.pad ?? 'VALID') === 'VALID' && !task.resize && !task.background && `${task.stride ?? '1,1'}` === '1,1' && !task.mean?.length;
  const activation = task.activation?.kind ?? 'none';
  const pool = poolValue(task.pool ?? { kind: 'none' });
  if (!plain || !pool || activation === 'leaky_relu' || (task.kernel.name ?? 'custom') === 'custom') return undefined;
  return { kernel: task.kernel.name, activation, pool, channels: task.channels ?? 'luma' };
}

const at = (testid) => `[data-testid="${testid}"]`;

export async function until(tab, what, condition, ...values) {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const value = await tab.evaluate(condition, ...values);
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(100);
  }
}

export const settled = (tab) => until(tab, 'the run to end', () => {
  const busy = document.querySelector('[data-testid="busy"]');
  const ended = document.querySelector('[data-testid="error"]') || document.querySelector('[data-testid^="stage-"][data-sha256]');
  return !busy && ended !== null;
});

export const click = (tab, testid) => tab.evaluate((selector) => document.querySelector(selector).click(), at(testid));

export const choose = (tab, testid, value) => tab.evaluate((selector, wanted) => {
  const list = document.querySelector(selector);
  if (![...list.options].some((o) => o.value === wanted)) throw new Error(`${selector} does not offer ${wanted}`);
  list.value = wanted;
  list.dispatchEvent(new Event('input', { bubbles: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
}, at(testid), value);

export async function chooseAll(tab, choices) {
  for (const [testid, value] of Object.entries(choices)) await choose(tab, testid, value);
}

// The digest on each stage's card, in order: [[name, sha256]].
export const digests = (tab) => tab.evaluate(() =>
  [...document.querySelectorAll('[data-testid^="stage-"][data-sha256]')].map((e) => [e.dataset.testid.slice(6), e.dataset.sha256]));

export const finalDigest = async (tab) => (await digests(tab)).at(-1)?.[1];

export const errorText = (tab) => tab.evaluate(() => document.querySelector('[data-testid="error"]')?.textContent ?? '');

export const attribute = (tab, testid, name) => tab.evaluate((selector, key) => document.querySelector(selector)?.getAttribute(key), at(testid), name);

export const text = (tab, testid) => tab.evaluate((selector) => document.querySelector(selector)?.textContent, at(testid));

export const type = (tab, testid, value) => tab.evaluate((selector, content) => {
  const field = document.querySelector(selector);
  field.value = content;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}, at(testid), value);

export const focused = (tab) => tab.evaluate(() => document.activeElement?.dataset?.testid ?? document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName);

// Presses Tab until the focus is where it should be.
export async function tabTo(tab, target) {
  for (let i = 0; i < 80; ++i) {
    if ((await focused(tab)) === target) return;
    await tab.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${target}`);
}

// A file let fall on the page, as a drop event carries it.
export const drop = (tab, name, mime, base64) => tab.evaluate((fileName, fileType, content) => {
  const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], fileName, { type: fileType }));
  const options = { bubbles: true, cancelable: true, dataTransfer: carried };
  const target = document.querySelector('main') ?? document.body;
  for (const kind of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, options));
}, name, mime, base64);

export const overflow = (tab) => tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// The file that a button saves, in base64. It is not let through to the browser, whose own list of downloads takes the focus.
export const saved = (tab, testid) => tab.evaluate((selector) => new Promise((done) => {
  const originals = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
  URL.createObjectURL = (blob) => {
    blob.arrayBuffer().then((buffer) => done(btoa(String.fromCharCode(...new Uint8Array(buffer)))));
    return originals[0].call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = () => {};
  document.querySelector(selector).click();
  [URL.createObjectURL, HTMLAnchorElement.prototype.click] = originals;
}), at(testid));
