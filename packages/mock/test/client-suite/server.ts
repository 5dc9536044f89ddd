import { inject, onTestFinished } from 'vitest';
import type { Answerer, TestServer } from '../../../client/test/support/server.ts';
import type { FaultRequest } from '../../src/index.ts';
import { host } from './host.ts';
import { faultFrom } from './script.ts';

export {
  type Answerer,
  drop,
  failure,
  hang,
  json,
  stall,
  success,
  type TestServer,
  truncate,
} from '../../../client/test/support/server.ts';

export const reachable: boolean = inject('host') === 'serve()';

type Arrival = TestServer['arrivals'][number];

const arrivalOf = ({ method, path, query, headers, body }: FaultRequest): Arrival => ({
  method,
  path,
  query: new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])),
  headers: Object.fromEntries(headers),
  body: body === undefined ? '' : JSON.stringify(body),
  at: performance.now(),
});

/** Stands in for the client's `startServer`: a mock, every answer of which is one that the answerers gave. */
export const startServer = async (...answerers: Answerer[]): Promise<TestServer> => {
  const { mock, url, close } = await host();
  onTestFinished(close);
  const arrivals: Arrival[] = [];
  const waiting = new Set<() => void>();
  mock.faults.always('*', (request) => {
    const arrival = arrivalOf(request);
    arrivals.push(arrival);
    for (const check of waiting) check();
    const answerer = answerers[Math.min(arrivals.length, answerers.length) - 1];
    return answerer && faultFrom(answerer, arrival);
  });
  return {
    url,
    arrivals,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (arrivals.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
};
