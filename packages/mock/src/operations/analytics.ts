import { invalid } from '../errors/refusal.ts';
import { CALENDAR_RULE, EARLIEST, LATEST } from '../world/clock/clock.ts';
import { toFunnel } from './funnel.ts';
import type { Handlers } from './operation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws A {@link Refusal} 400, when the moment has no date-time in UTC. */
const parseBound = (name: 'from' | 'to', dateTime: string): number => {
  const at = Date.parse(dateTime);
  if (at < EARLIEST || at > LATEST) {
    throw invalid(`query.${name} ${CALENDAR_RULE}, got ${dateTime}`);
  }
  return at;
};

export const analytics: Handlers<'analytics'> = {
  // Counts the leads created within the range, by their present status.
  'analytics.funnel': ({ store, clock, behavior }, { query }) => {
    const end = query.to === undefined ? clock.now() : parseBound('to', query.to);
    const start =
      query.from === undefined
        ? Math.max(EARLIEST, end - behavior.funnel.days * DAY_MS)
        : parseBound('from', query.from);
    if (start > end) {
      throw invalid(`query.from must not be after query.to, but ${query.from} is after ${query.to ?? 'now'}`);
    }
    const range = { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
    const count = (status?: string) => store.leads.table.countBetween({ status }, range.from, range.to);
    return {
      data: {
        ...toFunnel(behavior.funnel, {
          all: count(),
          new: count('new'),
          active: count('active'),
          qualified: count('qualified'),
          converted: count('converted'),
        }),
        range,
      },
    };
  },
};
