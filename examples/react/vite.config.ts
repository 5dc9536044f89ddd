import { msw } from 'msw/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Uses the sources of the packages in this checkout.
  resolve: { conditions: ['@confab/source', 'module', 'browser', 'development|production'] },
  // Serves the script of the service worker, so that no copy of it has to be kept.
  plugins: [msw({ mode: 'worker-only' })],
  build: { target: 'es2023' },
});
