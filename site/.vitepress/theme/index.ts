import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import { BenchmarkChart } from './benchmark-chart.ts';
import '@shikijs/twoslash/style-rich.css';
import './style.css';
import './home.css';
import './twoslash.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('BenchmarkChart', BenchmarkChart);
    app.component(
      'Playground',
      defineAsyncComponent(async () => (await import('../../playground/playground.ts')).Playground),
    );
  },
} satisfies Theme;
