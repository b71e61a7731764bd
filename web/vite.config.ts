import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  base: './',
  worker: { format: 'es' },
  resolve: { alias: { '@models': here('../models') } },
  // The package finds its wasm and worker beside its own module; pre-bundling would move that module away from them.
  optimizeDeps: { exclude: ['bitexact'] },
  server: { fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['index', 'classify', 'inspect', 'selftest'].map((name) => here(`${name}.html`)) },
  },
});
