// The pages that run and inspect models, in Chromium, Firefox and WebKitGTK, against the native program.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FACE, facts, LENET, root, run, SIGNED, unsupportedModel } from './models.mjs';
import { eachBrowser, openTab } from './browser.mjs';
import { serve } from './server.mjs';
import * as page from './page.mjs';

const scratch = `${root}build/e2e/`;
mkdirSync(scratch, { recursive: true });
const sample = (digit) => `${root}models/samples/${digit}.png`;
const astronaut = `${root}web/public/samples/astronaut.png`;

// What TensorFlow.js computed of the astronaut with the same model, decoded by hand: left, top, width, height.
const FACE_BOX = [0.347, 0.158, 0.186, 0.186];

function suite(name) {
  let tab, site;
  before(async () => {
    site = await serve(`${root}web/dist/`, { mounts: { '/probe/': `${root}tests/e2e/probe/` }, script: name === 'webkit' ? '/probe/probe.js' : undefined });
    tab = await openTab(name);
    await tab.resize(1440, 900);
  });
  after(async () => {
    await tab?.close();
    site?.close();
  });
  const shown = (testid) => page.until(tab, testid, (name) => document.querySelector(`[data-testid="${name}"]`) !== null, testid);
  const classify = (query) => tab.open(`${site.url}classify.html${query}`);
  const receipt = (sha256) => page.until(tab, `the receipt ${sha256}`, (wanted) =>
    !document.querySelector('[data-testid="busy"]') && document.querySelector('[data-testid="receipt-digest"]')?.dataset.sha256 === wanted, sha256);
  const answer = (digit) => page.until(tab, `the answer ${digit}`, (wanted) =>
    !document.querySelector('[data-testid="busy"]') && document.querySelector('[data-testid="answer"]')?.dataset.class === wanted, String(digit));

  test('a seven is a seven, and every layer and the receipt are the native ones', async () => {
    const native = run([LENET, sample(7), '--preset', 'mnist']);
    await classify('?model=lenet5-int8&sample=7');
    await answer(7);
    await receipt(native.receipt_sha256);
    const layers = await tab.evaluate(() => [...document.querySelectorAll('[data-testid="layer"]')].map((e) => e.dataset.sha256));
    assert.deepEqual(layers, native.receipt.layers.map((l) => l.sha256));
    assert.equal(await page.until(tab, 'the published receipts', () => document.querySelector('[data-testid="published"]')?.dataset.equal), 'true');
    assert.match(await page.text(tab, 'published'), /aarch64.*s390x/);
    assert.match(await page.text(tab, 'command'), /^bitexact run lenet5-int8.onnx 7.png --preset mnist --receipt receipt.json\nbitexact verify /);
  });

  test('the pictures of layers are drawn when they come on the screen', async () => {
    await classify('?model=face');
    const drawn = () => document.querySelectorAll('[data-testid="layer"] [data-testid="drawn"]').length;
    const few = await page.until(tab, 'the first pictures', drawn);
    const all = await page.until(tab, 'all layers', () => document.querySelectorAll('[data-testid="layer"]').length);
    assert.ok(few < all, `${few} of ${all}`);
    await tab.evaluate(() => [...document.querySelectorAll('[data-testid="layer"]')].at(-1).scrollIntoView());
    await page.until(tab, 'the last picture', () => [...document.querySelectorAll('[data-testid="layer"]')].at(-1).querySelector('[data-testid="drawn"]') !== null);
  });

  test('a drawn digit has a class, and its file gives the same receipt natively', async () => {
    await classify('?sample=7');
    await answer(7);
    await page.click(tab, 'clear');
    await page.until(tab, 'no input', () => !document.querySelector('[data-testid="answer"]')?.dataset.class);
    const { left, top, side } = await tab.evaluate(() => {
      const pad = document.querySelector('[data-testid="pad"]');
      pad.scrollIntoView({ block: 'center' });
      const { left, top, width } = pad.getBoundingClientRect();
      return { left, top, side: width };
    });
    const at = (x, y) => [Math.round(left + x * side), Math.round(top + y * side)];
    await tab.drag([at(0.3, 0.2), at(0.3, 0.5), at(0.3, 0.8)]);
    await answer(1);
    const pgm = `${scratch}digit-${name}.pgm`;
    writeFileSync(pgm, Buffer.from(await page.saved(tab, 'input-download'), 'base64'));
    assert.equal(readFileSync(pgm).subarray(0, 13).toString(), 'P5\n28 28\n255\n');
    await receipt(run([LENET, pgm, '--preset', 'mnist']).receipt_sha256);
  });

  test('the keyboard alone chooses a sample, and draws', async () => {
    await classify('?sample=7');
    await answer(7);
    await page.tabTo(tab, 'pad');
    await tab.press('Delete');
    for (let i = 0; i < 15; ++i) {
      await tab.press(' ');
      await tab.press('ArrowDown');
    }
    await answer(1);
    await page.tabTo(tab, 'sample-3');
    await tab.press('Enter');
    await answer(3);
  });

  test('the astronaut’s face', async () => {
    await classify('?model=face&sample=astronaut');
    await receipt(run([FACE, astronaut, ...SIGNED]).receipt_sha256);
    const boxes = await tab.evaluate(() => [...document.querySelectorAll('[data-testid="face"]')].map((e) => JSON.parse(e.dataset.box)));
    assert.equal(boxes.length, 1);
    FACE_BOX.forEach((wanted, i) => assert.ok(Math.abs(boxes[0][i] - wanted) < 0.01, `${boxes[0]}`));
  });

  test('a run can be cancelled, and started again', async () => {
    await classify('?model=face&sample=astronaut');
    await shown('face');
    await tab.evaluate(() => new Promise((done) => {
      const watch = new MutationObserver(() => {
        const button = document.querySelector('[data-testid="cancel"]');
        if (!button) return;
        watch.disconnect();
        button.click();
        done();
      });
      watch.observe(document.body, { childList: true, subtree: true });
      document.querySelector('[data-testid="sample-camera"]').click();
    }));
    await shown('again');
    assert.equal(await tab.evaluate(() => document.querySelectorAll('[data-testid="receipt-digest"]').length), 0);
    await page.click(tab, 'again');
    await receipt(run([FACE, `${root}web/public/samples/camera.png`, ...SIGNED]).receipt_sha256);
  });

  test('broken and unsupported models say why, and the page goes on', async () => {
    await classify('');
    await answer(7);
    const model = readFileSync(LENET);
    writeFileSync(`${scratch}broken.onnx`, model.subarray(0, 20_000));
    await tab.upload('[data-testid="model-file"]', `${scratch}broken.onnx`);
    assert.match(await page.until(tab, 'an error', () => document.querySelector('[data-testid="error"]')?.textContent), /broken\.onnx: ./);

    await page.drop(tab, 'strange.onnx', '', unsupportedModel(['Fourier', 'Mystery']).toString('base64'));
    const problems = await page.until(tab, 'the problems', () => document.querySelector('[data-testid="problems"]')?.textContent);
    assert.match(problems, /2 reasons.*Fourier.*Mystery/s);

    await page.drop(tab, 'own.onnx', '', model.toString('base64'));
    await answer(7);
    assert.equal(await page.errorText(tab), '');
    writeFileSync(`${scratch}names.txt`, 'zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n');
    await tab.upload('[data-testid="labels"]', `${scratch}names.txt`);
    await page.until(tab, 'the name', () => document.querySelector('[data-testid="answer"]')?.textContent === 'seven');

    await page.drop(tab, 'broken.png', 'image/png', readFileSync(sample(3)).subarray(0, 90).toString('base64'));
    assert.match(await page.until(tab, 'an error', () => document.querySelector('[data-testid="error"]')?.textContent), /broken\.png: ./);
    await page.click(tab, 'sample-3');
    await answer(3);
  });

  test('a pasted receipt gets a verdict', async () => {
    await classify('?sample=7');
    await answer(7);
    await page.type(tab, 'receipt-paste', JSON.stringify(run([LENET, sample(7), '--preset', 'mnist']).receipt));
    assert.equal(await page.until(tab, 'a verdict', () => document.querySelector('[data-testid="receipt-verdict"]')?.dataset.same), 'true');
    await page.type(tab, 'receipt-paste', JSON.stringify(run([LENET, sample(8), '--preset', 'mnist']).receipt));
    await page.until(tab, 'another verdict', () => document.querySelector('[data-testid="receipt-verdict"]')?.dataset.same === 'false');
  });

  test('inspect shows what the program shows', async () => {
    for (const [link, model] of [['lenet5-int8', LENET], ['face', FACE]]) {
      const native = facts(model);
      await tab.open(`${site.url}inspect.html?model=${link}`);
      const steps = await page.until(tab, 'the steps', () => {
        const rows = [...document.querySelectorAll('[data-testid="step"]')];
        return rows.length && rows.map((row) => row.querySelector('th .mono').textContent);
      });
      assert.deepEqual(steps, native.steps.map((s) => s.op));
      const saved = JSON.parse(Buffer.from(await page.saved(tab, 'facts-download'), 'base64'));
      assert.deepEqual([saved.macs, saved.parameters, saved.arenaBytes, saved.file], [native.macs, native.parameters, native.arena_bytes, native.file]);
      assert.equal(await tab.evaluate(() => document.querySelectorAll('[data-testid="arena"] rect').length), native.steps.length);
    }
    await page.drop(tab, 'strange.onnx', '', unsupportedModel(['Fourier']).toString('base64'));
    await page.until(tab, 'the problem', () => /Fourier/.test(document.querySelector('[data-testid="problems"]')?.textContent));
    await page.click(tab, 'model-lenet5');
    await shown('step');
    assert.equal(await page.errorText(tab), '');
  });

  test('pages lead to each other', async () => {
    await classify('');
    await answer(7);
    assert.equal(await page.attribute(tab, 'page-classify', 'aria-current'), 'page');
    await tab.open(await tab.evaluate(() => document.querySelector('[data-testid="page-inspect"]').href));
    await page.until(tab, 'the other page', () => document.querySelector('[data-testid="page-inspect"]')?.getAttribute('aria-current') === 'page');
  });

  test('no sideways scrolling, narrow or wide', async () => {
    for (const width of [tab.narrowest, 820, 1440]) {
      await tab.resize(width, 800);
      for (const [file, ready] of [['classify.html', 'answer'], ['classify.html?model=face', 'face'], ['inspect.html', 'step'], ['inspect.html?model=face', 'step']]) {
        await tab.open(`${site.url}${file}`);
        await shown(ready);
        await tab.screenshot(`${scratch}${name}-${file.replace(/\W+/g, '-')}-${width}.png`);
        assert.ok((await page.overflow(tab)) <= 0, `${file} at ${width} pixels`);
      }
    }
  });

  test('nothing in the console, no foreign request', async () => {
    assert.deepEqual(await tab.problems(), []);
  });
}

eachBrowser(suite);
