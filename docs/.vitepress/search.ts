import type { DefaultTheme } from 'vitepress';

/** The search runs in the page, over the full text of the site, and asks no service. */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    searchOptions: {
      boost: { title: 4, titles: 1, text: 2 },
      fuzzy: 0.2,
      prefix: true,
      // VitePress sends this function to the browser as text, so it uses nothing from outside.
      boostDocument: (id: string) => {
        if (/\/(?:guides|packages)\//.test(id)) {
          return 2;
        }
        return /\/(?:decisions|changelog|benchmarks)/.test(id) ? 0.4 : 1;
      },
    },
  },
};
