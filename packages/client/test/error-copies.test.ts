import { beforeAll, expect, test, vi } from 'vitest';
import * as client from '../src/index.ts';
import { ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

const { ApiError, ConfabError, isConfabError, NotFoundError } = client;

let copy: typeof client;

// A second copy of the whole package, as a dependency may bring one.
beforeAll(async () => {
  vi.resetModules();
  copy = await import('../src/index.ts');
});

const fail = (from: typeof client, fetch: () => Promise<Response>) =>
  errorOf(
    from
      .createClient({ baseUrl: 'https://api.example.com', apiKey: KEY, fetch, retry: false })
      .leads.get(ids.lead),
    Error,
  );
const notFound = async () =>
  Response.json({ success: false, error: 'No', code: 'NOT_FOUND' }, { status: 404 });

test('`instanceof` recognizes the errors of another copy, by class', async () => {
  expect(copy.NotFoundError).not.toBe(NotFoundError);
  for (const [here, there] of [
    [client, copy],
    [copy, client],
  ] as const) {
    const error = await fail(there, notFound);
    expect(error.constructor).toBe(there.NotFoundError);
    expect(error instanceof here.NotFoundError).toBe(true);
    expect(error instanceof here.ApiError).toBe(true);
    expect(error instanceof here.ConfabError).toBe(true);
    expect(here.isConfabError(error)).toBe(true);
    expect(error instanceof here.ConflictError).toBe(false);
    expect(error instanceof here.ConnectionError).toBe(false);
  }
});

test('every class of errors recognizes its own errors in another copy, and no others', () => {
  const classes = Object.entries(client).filter(([name]) => /^[A-Z].*Error$/.test(name));
  expect(classes.length).toBeGreaterThan(15);
  for (const [name, here] of classes as [string, typeof ConfabError][]) {
    for (const [other, there] of Object.entries(copy) as [string, typeof ConfabError][]) {
      if (/^[A-Z].*Error$/.test(other)) {
        const error = Object.create(there.prototype);
        const extended = Reflect.get(client, other).prototype instanceof here;
        expect([name, other, error instanceof here]).toEqual([name, other, name === other || extended]);
      }
    }
  }
});

test.each([
  undefined,
  'ConfabError',
  {},
  { name: 'ConfabError', code: 'NOT_FOUND' },
  new Error('ConfabError'),
  ConfabError,
])('%o is not an error of this package', (value) => {
  expect(isConfabError(value)).toBe(false);
  expect(value instanceof ApiError).toBe(false);
});
