import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import type { Hosted } from './host.ts';
import { host } from './host.ts';

const HEADER = 'x-answer';

const bodies = new Map<string, () => Promise<unknown>>();

let hosted: Promise<Hosted> | undefined;

const open = async (): Promise<Hosted> => {
  const opened = await host();
  opened.mock.faults.always('*', async ({ headers }) => {
    // Bodies may have a hundred thousand rows, so the log does not keep them.
    opened.mock.requests.clear();
    try {
      return { body: await bodies.get(headers.get(HEADER) ?? '')?.() };
    } catch {
      return { network: 'error' };
    }
  });
  return opened;
};

afterAll(async () => (await hosted)?.close());

/** Replaces the client's `deliver` with a mock whose responses have the body that the request carries. */
export const deliver = async (request: Request, body: () => Promise<unknown>): Promise<Response> => {
  hosted ??= open();
  const { url } = await hosted;
  const { pathname, search } = new URL(request.url);
  const id = randomUUID();
  bodies.set(id, body);
  try {
    return await fetch(url + pathname + search, {
      headers: { ...Object.fromEntries(request.headers), [HEADER]: id },
      signal: request.signal,
    });
  } finally {
    bodies.delete(id);
  }
};
