import { demand } from '../evidence.ts';
import type { Question } from '../question.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The months before these days have 28 and 30 days, so that one month is no number of days. */
const ENDS = ['2025-03-15T12:00:00.000Z', '2025-05-15T12:00:00.000Z'];

/** Reads funnels that have a `to`, and no `from`. */
export const funnelRange: Question = {
  text: 'Days of the funnel without `from`',
  option: ['behavior', 'funnel', 'days'],
  async ask(service) {
    const days: number[] = [];
    for (const to of ENDS) {
      const { range } = (await service.need('analytics.funnel', { query: { to } })).data;
      const isEnd = Date.parse(range.to) === Date.parse(to);
      days.push(isEnd ? (Date.parse(to) - Date.parse(range.from)) / DAY : Number.NaN);
    }
    const [first = 0, second] = days;
    demand(
      first === second && Number.isInteger(first) && first > 0,
      `the range is not a fixed number of days before \`to\`: ${days.join(' and ')} in two requests`,
      'Set `from` and `to` in each call.',
    );
    return first;
  },
};
