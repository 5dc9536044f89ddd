import type { DefaultTheme } from 'vitepress';

/**
 * The search runs in the page, over the full text of the site, and asks no service. VitePress sends these functions to the
 * browser as text, so they use nothing from outside.
 */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    options: {
      /** Makes "retry" find "retries" and "retried", and the other way round. */
      processTerm: (term: string) =>
        term
          .toLowerCase()
          .replace(/(?:ies|ied)$/, 'y')
          .replace(/(?<=[^s])s$/, ''),
    },
    searchOptions: {
      boost: { title: 4, titles: 1, text: 2 },
      fuzzy: 0.2,
      prefix: true,
      /**
       * Prefers guides to the pages of the packages. Both go before the reference, where most names are a heading of their
       * own, and before the index of the guides. Decisions, the changelog, benchmarks and compatibility come last.
       */
      boostDocument: (id: string) => {
        if (/\/(?:decisions|changelog|benchmarks|compatibility)/.test(id)) {
          return 0.4;
        }
        if (/\/guides\/\w/.test(id)) {
          return 2;
        }
        return /\/packages\//.test(id) ? 1.5 : 0.8;
      },
    },
  },
};
