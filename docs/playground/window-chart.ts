import type { VNode } from 'vue';
import { h } from 'vue';
import type { MockState } from './messages.ts';

const WIDTH = 300;
const HEIGHT = 64;
/** Room above the limit, so that its line does not look like the edge of the chart. */
const TOP = 10;

/** How full the rate-limit window was, over the time of the mock, as an area with steps below the line of the limit. */
export const drawWindow = ({ samples, limit, used, elapsed, perMs }: MockState): VNode => {
  const most = limit || Math.max(1, ...samples.map(({ used }) => used));
  const toX = (at: number): string => (elapsed === 0 ? WIDTH : (at / elapsed) * WIDTH).toFixed(1);
  const toY = (count: number): string =>
    (HEIGHT - (Math.min(count, most) / most) * (HEIGHT - TOP)).toFixed(1);
  const steps = samples.map(({ at, used }) => `H${toX(at)}V${toY(used)}`).join('');
  const text = `${limit === undefined ? used : `${used} of ${limit}`} requests in the last ${perMs / 1_000} s`;
  return h('figure', { class: 'window' }, [
    h('figcaption', text),
    h(
      'svg',
      {
        role: 'img',
        'aria-label': `Rate-limit window: ${text}, and ${Math.max(0, ...samples.map(({ used }) => used))} at most.`,
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: 'none',
      },
      [
        h('path', { class: 'used', d: `M0 ${HEIGHT}${steps}H${WIDTH}V${HEIGHT}Z` }),
        h('path', { class: 'limit', d: `M0 ${TOP}H${WIDTH}` }),
      ],
    ),
    h('p', { class: 'axis' }, [
      h('span', '0 s'),
      h('span', limit === undefined ? 'No limit' : `The dashed line is the limit: ${limit}`),
      h('span', `${elapsed / 1_000} s`),
    ]),
  ]);
};
