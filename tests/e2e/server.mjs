// Serves a folder on the loopback interface under the policy that the page promises to live with.
import http from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
};

// `mounts` maps a path prefix to another folder: files that a test adds to the site without touching its build.
function locate(root, mounts, pathname) {
  const path = decodeURIComponent(pathname);
  const prefix = Object.keys(mounts).find((p) => path.startsWith(p));
  const folder = resolve(prefix === undefined ? root : mounts[prefix]);
  const rest = prefix === undefined ? path : path.slice(prefix.length);
  const file = resolve(join(folder, rest.endsWith('/') ? `${rest}index.html` : rest));
  if (!file.startsWith(folder + sep)) throw new Error('outside the site');
  return file;
}

// `script`: the path of a script to run before the page's own, for a browser that cannot be asked for its console.
export async function serve(root, { port = 0, mounts = {}, script } = {}) {
  const server = http.createServer(async (request, response) => {
    const headers = { 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' };
    try {
      const file = locate(root, mounts, new URL(request.url, 'http://localhost').pathname);
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      let body = await readFile(file);
      if (script && type.startsWith('text/html')) {
        body = body.toString().replace('<head>', `<head><script src="${script}"></script>`);
      }
      response.writeHead(200, { ...headers, 'Content-Type': type }).end(body);
    } catch {
      response.writeHead(404, headers).end('not found\n');
    }
  });
  await new Promise((listening, failed) => server.once('error', failed).listen(port, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [root, port = '8080'] = process.argv.slice(2);
  try {
    console.log((await serve(root, { port: Number(port) })).url);
  } catch (error) {
    console.error(`port ${port}: ${error.message}`);
    process.exit(1);
  }
}
