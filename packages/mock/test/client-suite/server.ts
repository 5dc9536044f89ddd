import { inject, onTestFinished } from 'vitest';
import type { Arrival } from '../../../client/test/support/arrivals.ts';
import { createArrivals } from '../../../client/test/support/arrivals.ts';
import type { Responder, TestServer } from '../../../client/test/support/server.ts';
import type { FaultRequest } from '../../src/index.ts';
import { host } from './host.ts';
import { faultFrom } from './script.ts';

export {
  drop,
  failure,
  hang,
  json,
  type Responder,
  stall,
  success,
  type TestServer,
  truncate,
} from '../../../client/test/support/server.ts';

export const reachable: boolean = inject('host') === 'serve()';

const arrivalOf = ({ method, path, query, headers, body }: FaultRequest): Arrival => ({
  method,
  path,
  query: new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])),
  headers: Object.fromEntries(headers),
  body: body === undefined ? '' : JSON.stringify(body),
});

/** Replaces the client's `startServer` with a mock that responds as the responders do. */
export const startServer = async (...responders: Responder[]): Promise<TestServer> => {
  const { mock, url, close } = await host();
  onTestFinished(close);
  const { arrive, ...arrivals } = createArrivals();
  mock.faults.always('*', (request) => {
    const arrival = arrivalOf(request);
    const responder = responders[Math.min(arrive(arrival), responders.length) - 1];
    return responder && faultFrom(responder, arrival);
  });
  return { url, ...arrivals };
};
