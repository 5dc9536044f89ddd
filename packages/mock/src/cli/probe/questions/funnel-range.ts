import type { Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';

const QUESTION = 'Days of the funnel without `from`';

const DAY = 24 * 60 * 60 * 1000;

/** Clocks of two machines may differ as much. */
const TOLERANCE = 5 * 60 * 1000;

/** The month before has 28 days, so that one month is not 30 or 31 days. */
const MARCH = Date.UTC(2025, 2, 15, 12);

/** Reads the funnel without a range, and with a `to` in March, where a month is not as long as 30 days. */
export const funnelRange: Question = {
  topic: 'range of the funnel',
  async ask(service) {
    const now = await service.read('analytics.funnel');
    const march = await service.read('analytics.funnel', { query: { to: new Date(MARCH).toISOString() } });
    const days: number[] = [];
    for (const [reply, end] of [
      [now, now.at],
      [march, MARCH],
    ] as const) {
      if (reply.body === undefined) {
        return [unanswered(QUESTION, reply)];
      }
      const { from, to } = reply.body.data.range;
      const [start, last] = [Date.parse(from), Date.parse(to)];
      if (Math.abs(last - end) > TOLERANCE) {
        return [
          unknown(
            QUESTION,
            'the range does not end at `to`, or now without `to`',
            'Set `from` and `to` in each call.',
          ),
        ];
      }
      days.push((last - start) / DAY);
    }
    const [first = 0, second] = days.map((each) => Math.round(each));
    const isExact = days.every((each) => Math.abs(each - Math.round(each)) * DAY < 1000);
    return [
      isExact && first === second && first > 0
        ? learned(QUESTION, ['behavior', 'funnel', 'days'], first)
        : unknown(
            QUESTION,
            `the range is no fixed number of days: ${days.map((each) => Number(each.toFixed(2))).join(' and ')} in two requests`,
            'Set `from` and `to` in each call.',
          ),
    ];
  },
};
