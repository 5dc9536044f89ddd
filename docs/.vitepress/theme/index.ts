import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import { BenchmarkChart } from './benchmark-chart.ts';
import '@shikijs/twoslash/style-rich.css';
import './style.css';
import './home.css';
import './twoslash.css';

/** VitePress fails to start on a page whose address ends in a malformed escape, such as `#%`. */
const dropMalformedHash = (): void => {
  if (import.meta.env.SSR) {
    return;
  }
  try {
    decodeURIComponent(location.hash);
  } catch {
    // The beginning lets the playground say that the link is damaged.
    const [beginning = ''] = location.hash.split('%');
    history.replaceState(history.state, '', location.pathname + location.search + beginning);
  }
};

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    dropMalformedHash();
    app.component('BenchmarkChart', BenchmarkChart);
    app.component(
      'Playground',
      defineAsyncComponent(async () => (await import('../../playground/playground.ts')).Playground),
    );
  },
} satisfies Theme;
