import ky from 'ky';
import OpenAI from 'openai';
import Stripe from 'stripe';
import { createClient } from '../dist/index.js';
import { kyFetch } from '../dist/ky/index.js';
import { ROW } from './server/rows.ts';

/** Where and how the clients of a row send their requests. */
export interface Target {
  readonly url: string;
  /** Instead of what each client uses by itself. */
  readonly fetch?: typeof globalThis.fetch;
  readonly key?: string;
}

const given = (fetch: typeof globalThis.fetch | undefined) => (fetch === undefined ? {} : { fetch });

export const createOurs = (
  { url, fetch, key = 'key' }: Target,
  more: Parameters<typeof createClient>[0] = {},
) => createClient({ baseUrl: url, apiKey: key, ...given(fetch), ...more });

/** Sends each attempt through a ky instance with the `fetch` of the target. */
export const createOursThroughKy = (target: Target) =>
  createOurs(target, { fetch: kyFetch(ky.create(given(target.fetch))) });

export const createKy = ({ url, fetch, key = 'key' }: Target, more: Parameters<typeof ky.create>[0] = {}) =>
  ky.create({
    prefix: `${url}/api/v2/public/`,
    headers: { 'x-api-key': key },
    ...given(fetch),
    ...more,
  });

export const createOpenAI = (
  { url, fetch, key = 'key' }: Target,
  more: ConstructorParameters<typeof OpenAI>[0] = {},
) => new OpenAI({ apiKey: key, baseURL: `${url}/openai`, ...given(fetch), ...more });

export const createStripe = (
  { url, fetch, key = 'key' }: Target,
  more: ConstructorParameters<typeof Stripe>[1] = {},
) => {
  const { hostname, port, protocol } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    telemetry: false,
    ...(port === '' ? {} : { port }),
    ...(fetch === undefined ? {} : { httpClient: Stripe.createFetchHttpClient(fetch) }),
    ...more,
  });
};

/** The read of one row, by each client. */
export const reads = {
  ours: (client: ReturnType<typeof createOurs>) => () => client.leads.get(ROW.id),
  ky: (client: ReturnType<typeof createKy>) => () => client.get(`leads/${ROW.id}`).json(),
  openai: (client: ReturnType<typeof createOpenAI>) => () => client.models.retrieve(ROW.id),
  stripe: (client: ReturnType<typeof createStripe>) => () => client.customers.retrieve(ROW.id),
};
