import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { Service } from '../service.ts';
import { bodyOf } from '../service.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Clocks of two machines may differ as much. */
const TOLERANCE = 5 * 60 * 1000;

/** The month before has 28 days, so that one month is not 30 or 31 days. */
const MARCH = Date.UTC(2025, 2, 15, 12);

/** The days between both ends of a funnel that should end at `to`, or now. */
const daysOf = async (service: Service, to?: number): Promise<number> => {
  const query = to === undefined ? {} : { to: new Date(to).toISOString() };
  const reply = await service.ask('analytics.funnel', { query });
  const { range } = bodyOf(reply).data;
  const [start, end] = [Date.parse(range.from), Date.parse(range.to)];
  if (Math.abs(end - (to ?? reply.at)) > TOLERANCE) {
    throw new NoAnswer(
      'the range does not end at `to`, or now without `to`',
      'Set `from` and `to` in each call.',
    );
  }
  return Number(((end - start) / DAY).toFixed(4));
};

/** Reads the funnel without a range, and with a `to` in March, where a month is not as long as 30 days. */
export const funnelRange = rule({
  question: 'Days of the funnel without `from`',
  path: ['behavior', 'funnel', 'days'],
  async ask(service) {
    const days = [await daysOf(service), await daysOf(service, MARCH)];
    const [first = 0, second] = days;
    if (first !== second || !Number.isInteger(first) || first <= 0) {
      throw new NoAnswer(
        `the range is no fixed number of days: ${days.join(' and ')} in two requests`,
        'Set `from` and `to` in each call.',
      );
    }
    return first;
  },
});
