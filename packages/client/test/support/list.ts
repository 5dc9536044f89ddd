import type { ClientOptions, DriftEvent } from '../../src/index.ts';
import { clientWith } from './client.ts';
import { lead } from './data.ts';
import { deliver } from './deliver.ts';
import type { Responder } from './server.ts';
import { json } from './server.ts';

/** A row of a list, as the client is given it. */
export type Row = typeof lead;

/** The n-th lead: its id tells its number. */
export const rowOf = (number: number, changes: Partial<Row> = {}): Row => ({
  ...lead,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  ...changes,
});

/** The first rows of a list. */
export const createRows = (count: number): Row[] => Array.from({ length: count }, (_, index) => rowOf(index));

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** A request for a stretch of the list. */
export interface Asked {
  readonly offset: number;
  /** Undefined when the client left it to the service. */
  readonly limit: number | undefined;
}

/** The response of the service to a stretch. */
export interface Answered {
  readonly rows: readonly unknown[];
  readonly meta?: { total: number; limit: number; offset: number } | undefined;
}

/** Pages through an array as the published API does. */
export const pageOf = (rows: readonly Row[], { offset, limit = 25 }: Asked): Answered => ({
  rows: rows.slice(offset, offset + limit),
  meta: { total: rows.length, limit, offset },
});

const askedIn = (query: URLSearchParams): Asked => {
  const limit = query.get('limit');
  return { offset: Number(query.get('offset') ?? 0), limit: limit === null ? undefined : Number(limit) };
};

/** Responds to each request with the page that it asks for. */
export const pagesOf =
  (rows: readonly Row[]): Responder =>
  (arrival, ...exchange) => {
    const { rows: data, meta } = pageOf(rows, askedIn(arrival.query));
    return json(200, { success: true, data, meta })(arrival, ...exchange);
  };

/** A service with one list, written by hand, behind a `fetch`. */
export const createListService = (answer: (asked: Asked, count: number) => Answered | Promise<Answered>) => {
  const asked: Asked[] = [];
  /** Requests that were aborted before they were answered. */
  const aborted: Asked[] = [];
  let underWay = 0;
  let most = 0;
  return {
    asked,
    aborted,
    /** Most requests in progress at once. */
    get most() {
      return most;
    },
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const each = askedIn(new URL(request.url).searchParams);
      asked.push(each);
      underWay += 1;
      most = Math.max(most, underWay);
      request.signal.addEventListener('abort', () => aborted.push(each));
      try {
        const count = asked.length;
        return await deliver(request, async () => {
          const { rows, meta } = await answer(each, count);
          return { success: true, data: rows, meta };
        });
      } finally {
        underWay -= 1;
      }
    },
  };
};

/** Creates a client of such a service, and collects what it reports about wrong responses. */
export const connect = (answer: Parameters<typeof createListService>[0], options: ClientOptions = {}) => {
  const service = createListService(answer);
  const drifts: DriftEvent[] = [];
  const confab = clientWith({
    fetch: service.fetch,
    retry: false,
    hooks: { onDrift: (facts) => drifts.push(facts) },
    ...options,
  });
  return { service, confab, drifts };
};
