import type { Results } from '../../../scripts/bench/report.ts';
import client from '../../benchmarks/client.json' with { type: 'json' };
import webhooks from '../../benchmarks/webhooks.json' with { type: 'json' };

/** One bar: a contender, and its figure. */
export interface Bar {
  readonly name: string;
  readonly figure: string;
  readonly value: number;
  readonly ours: boolean;
}

/** Contenders that did the same work in the same run. */
export interface Comparison {
  readonly title: string;
  readonly better: 'less' | 'more';
  readonly page: string;
  readonly bars: readonly Bar[];
}

const OURS = /^@confab\/|^`createWebhooks`/;

type Tables = Pick<Results, 'tables'>;

/**
 * A figure of a benchmark, by the head of its table, its row and its column, so that no figure is written twice.
 *
 * @throws An {@link Error} when the results have no such figure.
 */
export const figureOf = ({ tables }: Tables, head: string, row: string, column: string): number => {
  const table = tables.find(({ columns }) => columns[0] === head);
  const cells = table?.rows.find(([first]) => first === row);
  const figure = cells?.[table?.columns.indexOf(column) ?? -1];
  if (figure === undefined) {
    throw new Error(`The benchmarks have no figure "${column}" of "${row}" under "${head}".`);
  }
  return Number.parseFloat(figure.replaceAll(',', ''));
};

const barsOf = (
  results: Tables,
  head: string,
  column: string,
  rows: Readonly<Record<string, string>>,
): Bar[] =>
  Object.entries(rows).map(([row, name]) => {
    const value = figureOf(results, head, row, column);
    return { name, figure: value.toLocaleString('en'), value, ours: OURS.test(row) };
  });

/** The comparisons on the landing page. */
export const comparisons = (): Comparison[] => [
  {
    title: '429s in 1,500 calls by 50 workers, 300 per window',
    better: 'less',
    page: '/benchmarks/client#rate-limits',
    bars: barsOf(client, '1,500 calls, 50 workers, 300 per window', '429s', {
      '@confab/client, `rateLimit` given': '@confab/client',
      ky: 'ky',
      openai: 'openai',
      stripe: 'stripe',
    }),
  },
  {
    title: 'Milliseconds to read 10,000 rows, 20 ms per response',
    better: 'less',
    page: '/benchmarks/client#pagination',
    bars: barsOf(client, '10,000 rows, 100 per page, 20 ms per response', 'ms', {
      '@confab/client, `.all({ concurrency: 8 })`': '@confab/client, eight pages at once',
      'stripe, `for await`': 'stripe, one page at a time',
      'openai, `for await`': 'openai, one page at a time',
    }),
  },
  {
    title: 'Deliveries of 2 kB verified and parsed per second',
    better: 'more',
    page: '/benchmarks/webhooks',
    bars: barsOf(webhooks, 'Verify and parse, body as text', 'per second', {
      'createHmac + timingSafeEqual + JSON.parse': 'written by hand',
      '@confab/webhooks': '@confab/webhooks',
      stripe: 'stripe',
      svix: 'svix',
      standardwebhooks: 'standardwebhooks',
    }),
  },
  {
    title: 'Bundle of the client in kB, minified and gzipped',
    better: 'less',
    page: '/benchmarks/client#bundle-size',
    bars: barsOf(client, 'Bundle, min+gz', 'kB', {
      ky: 'ky',
      '@confab/client': '@confab/client',
      stripe: 'stripe',
      octokit: 'octokit',
      openai: 'openai',
    }),
  },
];
