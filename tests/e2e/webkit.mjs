// WebKitGTK: MiniBrowser on a virtual screen, through WebKitWebDriver and the npm package `webdriver`; the same verbs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import WebDriver from 'webdriver';

const MINI_BROWSER = [process.env.MINI_BROWSER, '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser']
  .find((path) => path && existsSync(path));

// As WebDriver numbers them.
const KEYS = { Tab: '\uE004', Delete: '\uE017', Enter: '\uE007', Space: ' ', ArrowUp: '\uE013', ArrowDown: '\uE015', ArrowLeft: '\uE012', ArrowRight: '\uE014', Escape: '\uE00C' };

async function freePort() {
  const server = http.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function startDriver(port, dark) {
  return spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1200x24', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita', LIBGL_ALWAYS_SOFTWARE: '1' },
  });
}

async function connect(port) {
  const capabilities = {
    browserName: 'MiniBrowser',
    'wdio:enforceWebDriverClassic': true,
    'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
  };
  const options = { hostname: '127.0.0.1', port, path: '/', logLevel: 'silent', connectionRetryCount: 0, capabilities: { alwaysMatch: capabilities } };
  return WebDriver.newSession(options);
}

async function listening(port) {
  for (let attempt = 0; attempt < 100; ++attempt) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error('WebKitWebDriver does not answer');
}

export async function openWebKit({ dark = false } = {}) {
  const port = await freePort();
  const driver = startDriver(port, dark);
  const stop = () => process.kill(-driver.pid);
  let session;
  try {
    await listening(port);
    session = await connect(port);
  } catch (error) {
    stop();
    throw error;
  }
  await session.setTimeouts(undefined, 600_000, 600_000);
  return {
    name: 'webkit',
    version: `WebKitGTK ${session.capabilities.browserVersion}`,
    narrowest: 460,  // MiniBrowser's own toolbar allows no narrower window
    open: (url) => session.navigateTo(url),
    async evaluate(work, ...values) {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve((${work})(...[...arguments].slice(0, -1))).then((value) => done({ value }), (e) => done({ error: String(e) }));`;
      const { value, error } = await session.executeAsyncScript(script, values);
      if (error) throw new Error(error);
      return value;
    },
    resize: (width, height) => session.setWindowRect(0, 0, width, height),
    async upload(selector, path) {
      const element = await session.findElement('css selector', selector);
      await session.elementSendKeys(Object.values(element)[0], path);
    },
    async press(key) {
      const value = KEYS[key] ?? key;
      await session.performActions([{ type: 'key', id: 'keyboard', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }]);
    },
    async drag([start, ...others]) {
      const move = ([x, y]) => ({ type: 'pointerMove', duration: 50, origin: 'viewport', x, y });
      const actions = [move(start), { type: 'pointerDown', button: 0 }, ...others.map(move), { type: 'pointerUp', button: 0 }];
      await session.performActions([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    },
    screenshot: async (path) => writeFile(path, await session.takeScreenshot(), 'base64'),
    async problems() {
      return session.executeScript(`
        const foreign = performance.getEntriesByType('resource').map((r) => r.name)
          .filter((name) => !name.startsWith(location.origin) && !/^(blob|data):/.test(name));
        return [...window.e2eProblems, ...foreign.map((name) => 'foreign request: ' + name)];`, []);
    },
    async close() {
      await session.deleteSession().catch(() => {});
      stop();
    },
  };
}
