import { withBase } from 'vitepress';
import type { VNode } from 'vue';
import { defineComponent, h } from 'vue';
import type { Bar, Comparison } from './comparisons.ts';
import { comparisons } from './comparisons.ts';

const ROW = 44;

/** A bar with its label above it. Widths are percentages, so text keeps its size on a phone. */
const drawBar = ({ name, figure, value, ours }: Bar, index: number, max: number): VNode[] => {
  const y = index * ROW;
  return [
    h('text', { x: 0, y: y + 14 }, name),
    h('text', { x: '100%', y: y + 14, 'text-anchor': 'end' }, figure),
    h('rect', { class: 'track', x: 0, y: y + 21, width: '100%', height: 10, rx: 5 }),
    h('rect', {
      class: ours ? 'bar ours' : 'bar',
      x: 0,
      y: y + 21,
      width: `${Math.max((100 * value) / max, value > 0 ? 1 : 0).toFixed(1)}%`,
      height: 10,
      rx: 5,
    }),
  ];
};

const drawComparison = ({ title, better, page, bars }: Comparison): VNode => {
  const max = Math.max(...bars.map(({ value }) => value));
  const label = `${title}: ${bars.map(({ name, figure }) => `${name} ${figure}`).join(', ')}.`;
  return h('figure', [
    h('figcaption', [
      h('a', { href: withBase(page) }, title),
      h('span', `${better === 'less' ? 'Lower' : 'Higher'} is better`),
    ]),
    h(
      'svg',
      { role: 'img', 'aria-label': label, width: '100%', height: bars.length * ROW - 8 },
      bars.flatMap((bar, index) => drawBar(bar, index, max)),
    ),
  ]);
};

/** Charts that compare the packages with others. They are drawn from the results of the benchmarks when the site is built. */
export const BenchmarkChart = defineComponent({
  name: 'BenchmarkChart',
  setup: () => () => h('div', { class: 'benchmark-chart' }, comparisons().map(drawComparison)),
});
