import type { ClientOptions, EnsureOutcome, LeadCreate } from '../../src/index.ts';
import { clientWith } from './client.ts';
import { createTestClock } from './clock.ts';
import type { Row } from './list.ts';
import { rowOf } from './list.ts';

/** What a service does with the POST of a lead: a number is the status that it fails with. */
export type Behavior = 'works' | 'loses the response' | number;

const failureOf = (status: number): Response =>
  Response.json({ success: false, error: 'It did not work', code: 'ANY' }, { status });

/** A service with unique phones, written by hand. `behave` is told which attempt for the phone it is, from 1. */
export const createLeadService = (behave: (phone: string, attempt: number) => Behavior = () => 'works') => {
  /** Ids of the leads that exist, by phone. */
  const leads = new Map<string, string>();
  const rows = new Map<string, Row>();
  /** Phones of the POSTs, in order. */
  const posts: string[] = [];
  /** Bodies of the PATCHes, in order. */
  const patches: object[] = [];
  let atOnce = 0;
  /** Requests of any kind. */
  const counts = { sent: 0, mostAtOnce: 0 };

  const respond = (data: Row, status: number): Response => {
    rows.set(data.id, data);
    return Response.json({ success: true, data }, { status });
  };

  const post = ({ phone, ...fields }: { readonly phone: string }): Response => {
    posts.push(phone);
    const behavior = behave(phone, posts.filter((each) => each === phone).length);
    if (typeof behavior === 'number') {
      return failureOf(behavior);
    }
    const exists = leads.has(phone);
    const row = rowOf(leads.size + 1, { phone, ...fields });
    leads.set(phone, leads.get(phone) ?? row.id);
    if (behavior === 'loses the response') {
      throw new TypeError('fetch failed');
    }
    return exists ? failureOf(409) : respond(row, 201);
  };

  const patch = (id: string, fields: object): Response => {
    patches.push(fields);
    const row = rows.get(id);
    return row === undefined ? failureOf(404) : respond({ ...row, ...fields }, 200);
  };

  const find = (search: string): Response => {
    const found = [...leads].filter(([phone]) => phone.includes(search));
    const data = found.map(([phone, id]) => rows.get(id) ?? rowOf(0, { id, phone }));
    return Response.json({ success: true, data, meta: { total: data.length, limit: 100, offset: 0 } });
  };

  const fetch: NonNullable<ClientOptions['fetch']> = async (url, { method, body, signal }) => {
    signal?.throwIfAborted();
    counts.sent += 1;
    atOnce += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    const { pathname, searchParams } = new URL(url);
    if (method === 'PATCH') {
      return patch(pathname.split('/').at(-1) ?? '', JSON.parse(String(body)));
    }
    return method === 'POST' ? post(JSON.parse(String(body))) : find(searchParams.get('search') ?? '');
  };
  return { leads, posts, patches, counts, fetch };
};

export type LeadService = ReturnType<typeof createLeadService>;

/** A client of the service, for which no time passes. */
export const clientOf = ({ fetch }: Pick<LeadService, 'fetch'>, options: ClientOptions = {}) =>
  clientWith({ fetch, clock: createTestClock(), ...options });

export const phoneOf = (index: number): string => `+55119${10_000_000 + index}`;

export const rowsOf = (count: number): LeadCreate[] =>
  Array.from({ length: count }, (_, index) => ({ phone: phoneOf(index) }));

/** Reads an import to its end. Those that fail leave their outcomes in `into`. */
export const collect = async (
  outcomes: AsyncIterable<EnsureOutcome>,
  into: EnsureOutcome[] = [],
): Promise<EnsureOutcome[]> => {
  for await (const outcome of outcomes) {
    into.push(outcome);
  }
  return into;
};
