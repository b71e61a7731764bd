// Chromium and Firefox through puppeteer (Firefox over WebDriver BiDi), as the few verbs that the tests use.
import puppeteer from 'puppeteer-core';

const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const BINARIES = {
  chromium: process.env.CHROMIUM ?? '/usr/bin/chromium',
  firefox: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
};

// Firefox follows the scheme that its own settings name; Chromium is told by the protocol.
const darkFirefox = { 'layout.css.prefers-color-scheme.content-override': 0 };

export async function openPuppet(name, { dark = false } = {}) {
  const chromium = name === 'chromium';
  const browser = await puppeteer.launch({
    browser: chromium ? 'chrome' : 'firefox',
    executablePath: BINARIES[name],
    headless: true,
    protocolTimeout: 600_000,
    args: chromium ? CHROMIUM_FLAGS : [],
    extraPrefsFirefox: dark ? darkFirefox : {},
  });
  const page = await browser.newPage();
  if (chromium && dark) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  const problems = [];
  let site;
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && problems.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => problems.push(`error: ${e.message}`));
  // A page that is left ends its own requests; that is no failure.
  const aborted = (r) => /ABORTED/.test(r.failure()?.errorText ?? '');
  page.on('requestfailed', (r) => aborted(r) || problems.push(`failed request: ${r.url()}`));
  page.on('request', (r) => {
    const own = r.url().startsWith(site) || /^(data|blob|about):/.test(r.url());
    if (site && !own) problems.push(`foreign request: ${r.url()}`);
  });
  return {
    name,
    version: await browser.version(),
    narrowest: 360,
    async open(url) {
      site = new URL(url).origin;
      const answer = await page.goto(url);
      if (!answer.ok()) throw new Error(`${url}: ${answer.status()}`);
    },
    evaluate: (work, ...values) => page.evaluate(work, ...values),
    resize: (width, height) => page.setViewport({ width, height }),
    upload: async (selector, path) => (await page.$(selector)).uploadFile(path),
    press: (key) => page.keyboard.press(key),
    async drag([start, ...others]) {
      await page.mouse.move(...start);
      await page.mouse.down();
      for (const place of others) await page.mouse.move(...place, { steps: 5 });
      await page.mouse.up();
    },
    screenshot: (path) => page.screenshot({ path, fullPage: true }),
    problems: async () => problems,
    close: () => browser.close(),
  };
}
