import type { Random } from '../clock/random.ts';
import { TRUE_WAIT_HEADER } from '../network/api-link.ts';
import type { Settings } from '../settings.ts';
import type { Step } from './step.ts';
import { many, moment } from './step.ts';

const LONG_DAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

/** A time in one of the three forms of a date in HTTP (RFC 9110, section 5.6.7). */
const httpDate = (ms: number, form: 'imf' | 'rfc850' | 'asctime'): string => {
  const imf = new Date(ms).toUTCString();
  const [weekday, day = '', month, year = '', time] = imf.replace(',', '').split(' ');
  switch (form) {
    case 'imf':
      return imf;
    case 'rfc850':
      return `${LONG_DAY.format(ms)}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
    case 'asctime':
      return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
  }
};

/** Draws a function that writes `Retry-After` in one of its forms, with the milliseconds that it means. */
const drawRetryAfter = (random: Random) => {
  const form = random.pick(['none', 'seconds', 'fraction', 'date', 'two', 'two-dates']);
  const seconds = random.pick([1, 4, 20, 90, 5_400]);
  const dates = random.pick(['imf', 'rfc850', 'asctime']);
  const longestFirst = random.chance(0.5);
  return (nowMs: number): Readonly<Record<string, string>> => {
    const now = httpDate(nowMs, dates);
    const later = httpDate(nowMs + seconds * 1_000, dates);
    const headers = {
      none: {},
      seconds: { 'retry-after': String(seconds) },
      fraction: { 'retry-after': String(seconds - 0.5) },
      two: { 'retry-after': longestFirst ? `${seconds}, 1` : `1, ${seconds}` },
      date: { date: now, 'retry-after': later },
      'two-dates': { date: `${now}, ${now}`, 'retry-after': later },
    };
    return form === 'none' ? {} : { ...headers[form], [TRUE_WAIT_HEADER]: String(seconds * 1_000) };
  };
};

/** Draws errors and limits of the service, pages of a proxy in front of it, and rotations of keys. */
export const drawApiTrouble = (random: Random, { limit: { perMs } }: Settings): Step[] => [
  ...many(random.pick([0, 0, 2, 5]), () => {
    const at = moment(random);
    const status = random.pick([429, 429, 503, 503, 500, 408]);
    const retryAfter = drawRetryAfter(random);
    return {
      kind: 'api-fault',
      at,
      run: ({ sim, mock }) => mock.faults.once('*', { status, headers: retryAfter(sim.timeline.now()) }),
    };
  }),
  ...many(random.pick([0, 0, 2]), () => {
    const at = moment(random);
    const headers = { 'content-type': 'text/html', 'x-ratelimit-limit': String(random.pick([1, 1_000])) };
    const body = '<html><title>Bad gateway</title></html>';
    return {
      kind: 'proxy-page',
      at,
      run: ({ mock }) => mock.faults.once('*', { status: 502, headers, body }),
    };
  }),
  ...many(random.pick([0, 0, 1, 3]), () => {
    const at = moment(random);
    const limit = { requests: random.whole(2, 25), perMs };
    return { kind: 'limit', at, run: ({ service }) => service.changeLimit(limit) };
  }),
  ...many(random.pick([0, 0, 1]), () => ({
    kind: 'rotate-key',
    at: moment(random),
    run: ({ service }) => service.rotateKeys(),
  })),
];
