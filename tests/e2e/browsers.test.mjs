// The page of photos and the self-test in Chromium, Firefox and WebKitGTK.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { eachBrowser, openTab } from './browser.mjs';
import { makePng } from './pictures.mjs';
import { serve } from './server.mjs';
import * as page from './page.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const scratch = `${root}build/e2e/`;
mkdirSync(scratch, { recursive: true });
const parity = JSON.parse(readFileSync(`${root}web/public/parity.json`));
const published = parity.platforms[0].outputs;
const mounts = { '/selftest/': `${root}build/suites/`, '/probe/': `${root}tests/e2e/probe/` };

const sampleName = (pipeline) => pipeline.image.replace(/\.\w+$/, '');

function suite(name) {
  let tab, site;
  before(async () => {
    site = await serve(`${root}web/dist/`, { mounts, script: name === 'webkit' ? '/probe/probe.js' : undefined });
    tab = await openTab(name);
    await tab.resize(1440, 900);
  });
  after(async () => {
    const problems = await tab?.problems();
    if (problems?.length) console.log(`# ${name}: ${problems.slice(0, 10).join('\n# ')}`);
    await tab?.close();
    site?.close();
  });
  const fresh = async () => {
    await tab.open(site.url);
    await page.settled(tab);
  };

  test('vectors and pipelines, scalar and SIMD', async () => {
    await tab.open(`${site.url}selftest.html${name === 'chromium' ? '?large' : ''}`);
    await page.until(tab, 'the self-test', () => document.title === 'done');
    const result = JSON.parse(await tab.evaluate(() => document.querySelector('#result').textContent));
    writeFileSync(`${scratch}selftest-${name}.json`, JSON.stringify(result, null, 1));
    console.log(`# ${tab.version}: ${result.failed === 0 ? 'all equal' : 'DIFFERENCES'}`);
    assert.equal(result.failed, 0, JSON.stringify(result).slice(0, 2000));
    assert.ok(result.passed > 0);
  });

  test('every pipeline that the lists can express gives the published digest', async () => {
    await fresh();
    let compared = 0;
    for (const [i, pipeline] of parity.pipelines.entries()) {
      const choices = page.choicesFor(pipeline.task);
      if (!choices) continue;
      await page.click(tab, `sample-${sampleName(pipeline)}`);
      await page.chooseAll(tab, choices);
      await page.until(tab, `${pipeline.name}: ${published[i]}`, (wanted) =>
        [...document.querySelectorAll('[data-testid^="stage-"]')].at(-1)?.dataset.sha256 === wanted, published[i]);
      ++compared;
    }
    assert.ok(compared >= 3, `${compared} pipelines compared`);
  });

  test('the parity panel shows every platform equal', async () => {
    await fresh();
    const rows = await page.until(tab, 'the parity panel', () => {
      const all = [...document.querySelectorAll('[data-testid^="parity-row-"]')];
      return all.length && all.every((row) => row.dataset.equal) && all.map((row) => [row.dataset.testid, row.dataset.equal]);
    });
    assert.equal(rows.length, parity.platforms.length);
    assert.deepEqual(rows.filter(([, equal]) => equal !== 'true'), []);
  });

  test('a file by the file picker, a dropped file, a broken file', async () => {
    await fresh();
    const small = makePng(33, 21);
    writeFileSync(`${scratch}small.png`, small);
    const before = await page.finalDigest(tab);
    await tab.upload('[data-testid="file"]', `${scratch}small.png`);
    const picked = await page.until(tab, 'another digest', (old) => {
      const last = [...document.querySelectorAll('[data-testid^="stage-"][data-sha256]')].at(-1)?.dataset.sha256;
      return !document.querySelector('[data-testid="busy"]') && last !== old && last;
    }, before);
    assert.equal(picked, nativeDigest(`${scratch}small.png`));

    await page.drop(tab, 'broken.png', 'image/png', small.subarray(0, 60).toString('base64'));
    assert.match(await page.until(tab, 'an error', () => document.querySelector('[data-testid="error"]')?.textContent), /broken\.png/);

    await page.drop(tab, 'small.png', 'image/png', small.toString('base64'));
    await page.until(tab, 'the error to go', () => !document.querySelector('[data-testid="error"]') && !document.querySelector('[data-testid="busy"]'));
    assert.equal(await page.finalDigest(tab), picked);
  });

  test('the explained pixel is what the run stored, and arrow keys move it', async () => {
    await fresh();
    await page.tabTo(tab, 'application');
    const seen = new Set();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowUp']) {
      await tab.press(key);
      const [result, stored] = await page.until(tab, 'an explanation', () => {
        const { result, stored } = document.querySelector('[data-testid="explain"]')?.dataset ?? {};
        return result !== undefined && stored !== undefined && [result, stored];
      });
      assert.equal(result, stored);
      seen.add(await page.text(tab, 'explain'));
    }
    assert.ok(seen.size > 1, 'the keys change nothing');
  });

  test('the keyboard alone chooses a sample and a kernel', async () => {
    await fresh();
    const before = await page.finalDigest(tab);
    await page.tabTo(tab, `sample-${sampleName(parity.pipelines[1])}`);
    await tab.press('Enter');
    await page.tabTo(tab, 'kernel');
    await tab.press('ArrowDown');
    await page.settled(tab);
    assert.notEqual(await page.finalDigest(tab), before);
  });

  test('a pasted receipt gets a verdict', async () => {
    await fresh();
    const own = nativeReceipt(`${root}web/public/samples/astronaut.png`, 'sobel-x');
    await page.click(tab, 'sample-astronaut');
    await page.chooseAll(tab, { kernel: 'sobel-x', activation: 'relu', pool: 'max2x2', channels: 'luma' });
    await page.settled(tab);
    await page.type(tab, 'receipt-paste', own);
    assert.match(await page.until(tab, 'a verdict', () => document.querySelector('[data-testid="receipt-verdict"]')?.textContent), /same/i);
    await page.type(tab, 'receipt-paste', nativeReceipt(`${root}web/public/samples/astronaut.png`, 'sobel-y'));
    await page.until(tab, 'a verdict that names the stage', () => /conv/.test(document.querySelector('[data-testid="receipt-verdict"]')?.textContent ?? ''));
  });

  test('no sideways scrolling, narrow or wide', async () => {
    for (const [width, height] of [[tab.narrowest, 760], [1440, 900]]) {
      await tab.resize(width, height);
      await fresh();
      await tab.screenshot(`${scratch}${name}-${width}.png`);
      assert.ok((await page.overflow(tab)) <= 0, `at ${width} pixels`);
    }
  });

  test('no shared memory, nothing in the console, no foreign request', async () => {
    assert.deepEqual(await tab.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer]), [false, 'undefined']);
    assert.deepEqual(await tab.problems(), []);
  });

  test('dark', async () => {
    const dark = await openTab(name, { dark: true });
    try {
      await dark.resize(1440, 900);
      await dark.open(site.url);
      await page.settled(dark);
      await dark.screenshot(`${scratch}${name}-dark.png`);
      const channels = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
      assert.ok(Math.max(...channels) < 100, `background ${channels}`);
    } finally {
      await dark.close();
    }
  });

  test('24 megapixels, PNG and JPEG', { skip: name !== 'chromium' && 'tried in Chromium' }, async () => {
    writeFileSync(`${scratch}large.png`, makePng(6000, 4000));
    writeFileSync(`${scratch}large.jpg`, Buffer.from(await tab.evaluate(makeJpeg, 6000, 4000), 'base64'));
    for (const file of ['large.png', 'large.jpg']) {
      await fresh();
      const before = await page.finalDigest(tab);
      await tab.upload('[data-testid="file"]', `${scratch}${file}`);
      const got = await page.until(tab, file, (old) => {
        const last = [...document.querySelectorAll('[data-testid^="stage-"]')].at(-1)?.dataset.sha256;
        return !document.querySelector('[data-testid="busy"]') && last && last !== old && last;
      }, before);
      assert.equal(got, nativeDigest(`${scratch}${file}`));
      assert.equal(await page.errorText(tab), '');
    }
  });
}

// Runs in the page: a JPEG as a camera of that size would give it, in base64.
async function makeJpeg(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  const gradient = pen.createLinearGradient(0, 0, width, height);
  ['#124', '#e82', '#fff', '#183'].forEach((color, i) => gradient.addColorStop(i / 3, color));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, width, height);
  for (let i = 0; i < 400; ++i) {
    pen.fillStyle = `hsl(${(i * 47) % 360} 70% 50%)`;
    pen.fillRect((i * 7919) % width, (i * 104729) % height, 120, 90);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })).arrayBuffer());
  let binary = '';
  for (let i = 0; i < bytes.length; i += 32768) binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(binary);
}

function nativeReceipt(photo, kernel) {
  const receipt = `${scratch}receipt.json`;
  execFileSync(`${root}build/release/bitexact`,
    ['conv', photo, '--kernel', kernel, '--activation', 'relu', '--pool', 'max2x2', '--receipt', receipt], { stdio: 'pipe' });
  return readFileSync(receipt, 'utf8');
}

// The page's first task is the command's above.
const nativeDigest = (photo) => JSON.parse(nativeReceipt(photo, 'sobel-x')).outputs[0].sha256;

eachBrowser(suite);
