import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because the page is also served below the base URLs of worlds.
  base: './',
  resolve: { conditions: ['@confab/source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    outDir: '../dist/inspector',
    emptyOutDir: true,
    // The path below `/__mock/` at which the server finds the files.
    assetsDir: 'inspector',
    // A data URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // The source map lists the bundled code, whose licenses are collected. No browser loads it.
    sourcemap: 'hidden',
    modulePreload: false,
  },
});
