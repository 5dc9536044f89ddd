import type { VNode } from 'vue';
import { defineComponent, h } from 'vue';
import scale from '../../proof/scale.json' with { type: 'json' };
import soak from '../../proof/soak.json' with { type: 'json' };

/** Lines over one axis from 0 to the largest value. */
interface Chart {
  readonly title: string;
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

const soakChart = (title: string, names: readonly (keyof (typeof soak.samples)[number])[]): Chart => ({
  title,
  lines: Object.fromEntries(names.map((name) => [name, soak.samples.map((sample) => sample[name])])),
});

const CHARTS: Readonly<Record<string, () => Chart[]>> = {
  soak: () => [
    soakChart('Memory over the run', [
      'RSS of the server, MiB',
      'heap of the server, MiB',
      'heap of the load, MiB',
    ]),
    soakChart('Handles over the run', ['handles of the server', 'worlds']),
    soakChart('Latency over the run', ['p99 relative to a bare server']),
  ],
  scale: () =>
    scale.simulations.map(({ name, sent, redisCalls }) => ({
      title: `By second: ${name}`,
      lines: { 'calls to Redis': redisCalls, requests: sent },
    })),
};

const [WIDTH, HEIGHT] = [400, 120];

const drawChart = ({ title, lines }: Chart): VNode => {
  const most = Math.max(...Object.values(lines).flat());
  const path = (values: readonly number[]) =>
    values
      .map((value, index) => [(index * WIDTH) / (values.length - 1), HEIGHT * (1 - value / most)])
      .map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`)
      .join(' ');
  const legend = Object.entries(lines)
    .map(
      ([name, values]) =>
        `${name} (up to ${Math.max(...values).toLocaleString('en', { maximumFractionDigits: 1 })})`,
    )
    .join(', ');
  return h('figure', [
    h('figcaption', [title, h('span', legend)]),
    h(
      'svg',
      { role: 'img', 'aria-label': `${title}: ${legend}.`, width: '100%', viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
      Object.values(lines).map((values) => h('polyline', { points: path(values) })),
    ),
  ]);
};

/** The measurements of a page of the proofs over time, drawn when the site is built. */
export const ProofCharts = defineComponent({
  name: 'ProofCharts',
  props: { of: { type: String, required: true } },
  setup: (props) => () => h('div', { class: 'benchmark-chart' }, CHARTS[props.of]?.().map(drawChart)),
});
