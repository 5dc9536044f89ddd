import type { VNode } from 'vue';
import { h } from 'vue';
import type { Line, MockState, RequestRow } from './messages.ts';

const panel = (title: string, content: VNode | VNode[]): VNode =>
  h('section', { 'aria-label': title }, [h('h2', title), content].flat());

/** Draws what the program printed. */
export const drawOutput = (lines: readonly Line[], status: string): VNode =>
  panel('Output', [
    h(
      'pre',
      { class: 'output', tabindex: 0, role: 'log', 'aria-label': 'Output of the program' },
      lines.map(({ level, text }) => h('span', { class: level }, `${text}\n`)),
    ),
    h('p', { class: 'status', role: 'status' }, status),
  ]);

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms % 1_000 === 0 ? 0 : 3)} s`;

/** Characters at the end of a path that a narrow column always shows. */
const TAIL = 9;

/** Draws a path whose middle is left out in a narrow column. */
const drawPath = (path: string): VNode => {
  const end = Math.ceil(Math.max(path.length - TAIL, path.length / 2));
  return h('span', { class: 'path', title: path }, [
    h('span', path.slice(0, end)),
    h('span', path.slice(end)),
  ]);
};

const drawRequest = ({ at, method, path, operation, status }: RequestRow): VNode =>
  h('tr', { class: status === undefined || status >= 400 ? 'failed' : '' }, [
    h('td', seconds(at)),
    h('td', [h('code', [`${method} `, drawPath(path)])]),
    h('td', operation ?? 'none'),
    h('td', status ?? 'no response'),
  ]);

const drawRequests = ({ requests, total }: MockState): VNode[] => [
  h('div', { class: 'requests', tabindex: 0, role: 'region', 'aria-label': 'Table of requests' }, [
    h('table', [
      h(
        'thead',
        h(
          'tr',
          ['Time', 'Request', 'Operation', 'Status'].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h('tbody', requests.map(drawRequest)),
    ]),
  ]),
  ...(total > requests.length
    ? [h('p', `These are the latest ${requests.length} of ${total} requests.`)]
    : []),
];

const WIDTH = 300;
const HEIGHT = 64;
/** Room above the limit, so that its line does not look like the edge of the chart. */
const TOP = 10;

/** Draws how full the rate-limit window was over time, as an area with steps below the line of the limit. */
const drawWindow = ({ samples, limit, used, elapsed, perMs }: MockState): VNode => {
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

/** Draws the clock, the rate-limit window and the requests of each mock. */
export const drawMocks = (mocks: readonly MockState[], hasRun: boolean): VNode[] => {
  const empty = [
    h('p', hasRun ? 'The program created no mock.' : 'Mocks that the program creates show here.'),
  ];
  const name = (index: number): VNode[] => (mocks.length > 1 ? [h('h3', `Mock ${index + 1}`)] : []);
  const clocks = mocks.flatMap((mock, index) => [
    ...name(index),
    h('p', { class: 'clock' }, [
      h('time', new Date(mock.now).toISOString().replace('T', ' ').replace('Z', ' UTC')),
      h('span', `+${seconds(mock.elapsed)}`),
    ]),
    drawWindow(mock),
  ]);
  const requests = mocks.flatMap((mock, index) => [...name(index), ...drawRequests(mock)]);
  return [
    panel('Clock and rate limit', mocks.length === 0 ? empty : clocks),
    panel('Requests', mocks.length === 0 ? empty : requests),
  ];
};
