import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { ConfabError, ConnectionError, InvalidRequestError, NotFoundError } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createListService, pageOf, rowOf } from './support/list.ts';
import { drop, failure, startServer } from './support/server.ts';

const rows = Array.from({ length: 60 }, (_, index) => rowOf(index));

const connect = () => clientWith({ fetch: createListService((asked) => pageOf(rows, asked)).fetch });

test('inspecting a client shows its base URL and rate-limit state', () => {
  const shown = inspect(connect());
  expect(shown).toMatch(/^Confab \{\s+baseUrl: 'https:\/\/api\.example\.com',\s+rateLimit: \{/);
  expect(shown.split('\n').length).toBeLessThan(12);
});

test('JSON of a client has its base URL and rate-limit state, and a spread copy of a client works', async () => {
  const confab = connect();
  expect(JSON.parse(JSON.stringify({ confab }))).toEqual({
    confab: { baseUrl: 'https://api.example.com', rateLimit: { queued: 0, inFlight: 0 } },
  });
  const copy = { ...confab };
  expect(Object.keys(copy)).not.toContain('toJSON');
  expect(await copy.leads.list()).toMatchObject({ hasNext: true });
  expect(`${inspect(copy, { depth: Number.POSITIVE_INFINITY })}${JSON.stringify(copy)}`).not.toContain(KEY);
});

test('a list has the methods catch and finally, like a promise', async () => {
  const list = connect().leads.list();
  const ended = vi.fn();
  const page = await list.finally(ended);
  expect(page).toBe(await list.catch(() => undefined));
  expect(ended).toHaveBeenCalledTimes(1);

  const refused = connect().leads.list({ limit: 500 });
  const error = await refused.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidRequestError);
  await errorOf(refused.finally(ended), InvalidRequestError);
  expect(ended).toHaveBeenCalledTimes(2);
});

test('JSON of an error has its message and its own fields, and no stack', async () => {
  const server = await startServer(failure(404, 'NOT_FOUND', 'No such lead'));
  const confab = clientAt(server.url);
  const error = await errorOf(confab.leads.get(ids.lead), NotFoundError);
  const json = JSON.parse(JSON.stringify(error));
  expect(json).toMatchObject({
    name: 'NotFoundError',
    message: error.message,
    code: 'NOT_FOUND',
    status: 404,
    detail: 'No such lead',
    operation: 'leads.get',
    attempts: 1,
  });
  expect(json).not.toHaveProperty('stack');
  expect(JSON.parse(JSON.stringify({ nested: [error] })).nested[0].message).toBe(error.message);
});

test('JSON of an error has its causes, without the key', async () => {
  const cause = Object.assign(new Error(`refused ${KEY}`), { code: 'ECONNREFUSED', request: { key: KEY } });
  const confab = clientWith({
    retry: false,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
  });
  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    name: 'ConnectionError',
    code: 'CONNECTION_FAILED',
    cause: {
      name: 'TypeError',
      message: 'fetch failed',
      cause: { name: 'Error', message: 'refused [redacted]', code: 'ECONNREFUSED' },
    },
  });
  expect(JSON.stringify(error)).not.toContain(KEY);
});

test('a logger that copies enumerable fields, as pino does, receives each field of an error once', async () => {
  const server = await startServer(drop);
  const confab = clientAt(server.url, { retry: false });
  const error = await errorOf(confab.leads.get(ids.lead), ConfabError);
  const names: string[] = [];
  for (const name in error) {
    names.push(name);
  }
  expect(names.sort()).toEqual(['attempts', 'code', 'mayHaveActed', 'name', 'operation']);
});
