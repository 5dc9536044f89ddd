import type { Random } from '../clock/random.ts';
import { TRUE_WAIT_HEADER } from '../network/api-link.ts';
import type { Settings } from '../settings.ts';
import type { Step } from './step.ts';
import { many, moment } from './step.ts';

/** Draws a function that writes `Retry-After` in one of its forms, with the milliseconds that it means. */
const drawRetryAfter = (random: Random) => {
  const form = random.pick(['none', 'seconds', 'date', 'two']);
  const seconds = random.pick([1, 4, 20, 90, 5_400]);
  return (nowMs: number): Readonly<Record<string, string>> => {
    const headers = {
      seconds: { 'retry-after': `${seconds}` },
      two: { 'retry-after': `1, ${seconds}` },
      date: {
        date: new Date(nowMs).toUTCString(),
        'retry-after': new Date(nowMs + seconds * 1_000).toUTCString(),
      },
    };
    return form === 'none' ? {} : { ...headers[form], [TRUE_WAIT_HEADER]: `${seconds * 1_000}` };
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
    const limit = { requests: random.integer(2, 25), perMs };
    return { kind: 'limit', at, run: ({ service }) => service.changeLimit(limit) };
  }),
  ...many(random.pick([0, 0, 1]), () => ({
    kind: 'rotate-key',
    at: moment(random),
    run: ({ service }) => service.rotateKeys(),
  })),
];
