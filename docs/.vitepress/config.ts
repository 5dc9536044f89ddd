import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { playground } from '../playground/plugin.ts';
import { referenceSidebars } from './content/reference-sidebars.ts';
import { sidebars } from './content/sidebars.ts';
import { addContentSecurityPolicy } from './content-security-policy.ts';
import { hoverTypes } from './hover-types.ts';
import { searchOptions } from './search.ts';
import { slugify } from './slugify.ts';

/** Where the site is served: `/`, or a path such as `/confab/`. */
const base = process.env.DOCS_BASE ?? '/';

export default defineConfig({
  base,
  srcDir: '.vitepress/pages',
  cacheDir: '.vitepress/cache',
  cleanUrls: true,
  lang: 'en-US',
  title: 'confab',
  description:
    'A typed client, a webhook receiver and a mock of the whole service, for the confab conversation and lead API.',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }],
    ['meta', { name: 'theme-color', content: '#3b5bdb' }],
  ],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [hoverTypes],
  },
  transformHtml: addContentSecurityPolicy,
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      // Lighthouse reports "Start" alone as a link that does not say where it leads.
      { text: 'Get started', link: '/guides/getting-started' },
      { text: 'Guides', link: '/guides/', activeMatch: '^/(guides|packages|examples)/(?!getting-started)' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Benchmarks', link: '/benchmarks/', activeMatch: '^/(benchmarks|proof)/' },
      { text: 'Decisions', link: '/decisions/', activeMatch: '^/decisions/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: { ...sidebars(), ...referenceSidebars() },
    outline: [2, 3],
    search: { provider: 'local', options: searchOptions },
    footer: { message: 'Released under the MIT License.' },
  },
  vite: {
    publicDir: fileURLToPath(new URL('./public', import.meta.url)),
    // The playground contains TypeScript, which has 7 MB. No other page loads it.
    build: { chunkSizeWarningLimit: 8_000 },
    plugins: [playground()],
    worker: { format: 'es' },
  },
});
