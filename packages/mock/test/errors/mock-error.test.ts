import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CollectionError, createMock, MockClosedError, MockError } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Errors of the platform that the mock throws on purpose, because it takes the platform's place there. */
const PLATFORM_ERRORS = [
  // `fetch` reports a network error as a TypeError, and clients rely on that.
  ['hosts/fetch.ts', "new TypeError('fetch failed: "],
  // Reading a body whose connection broke fails with a TypeError, too.
  ['hosts/fetch.ts', "new TypeError('terminated: "],
];

test('the source throws bare errors only where it takes the place of the platform', () => {
  const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join(SRC, file), 'utf8')
        .split('\n')
        .filter((line) => /new (?:Type|Range)?Error\(/.test(line))
        .map((line) => [file, line.trim()] as const),
    );
  const unexpected = found.filter(
    ([file, line]) =>
      !PLATFORM_ERRORS.some(([place = '', start = '']) => file === place && line.includes(start)),
  );
  expect(unexpected).toEqual([]);
  expect(found).toHaveLength(PLATFORM_ERRORS.length);
});

const closed = () => {
  const mock = createMock();
  void mock.close();
  return mock;
};

test.each([
  [
    'INVALID_ARGUMENT',
    'MockError',
    () => createMock({ latency: -5 }),
    '`latency` must be milliseconds (0 or more), got -5',
  ],
  [
    'INVALID_ARGUMENT',
    'MockError',
    () => createMock({ latency: 1e15 }),
    '`latency` must be milliseconds (at most 100 years), got 1000000000000000',
  ],
  [
    'INVALID_ARGUMENT',
    'MockError',
    () => createMock().requests.list({ limit: 0 }),
    '`limit` must be a whole number from 1 to 10000, got 0',
  ],
  [
    'INVALID_ARGUMENT',
    'MockError',
    () => createMock().webhooks.deliveryFaults.once({ copies: -1 }),
    'The `copies` of a delivery fault must be a whole number (0 or more), got -1',
  ],
  [
    'INVALID_ARGUMENT',
    'MockError',
    () => serve(createMock(), { host: '' }),
    '`host` must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.',
  ],
  ['INVALID_ROW', 'CollectionError', () => createMock().leads.create({ id: 'seven' }), 'id must be a UUID'],
  [
    'MOCK_CLOSED',
    'MockClosedError',
    () => closed().inbound({ phone: '+5511987654321', body: 'Hi' }),
    'mock.inbound() needs an open mock',
  ],
  [
    'WRONG_ORIGIN',
    'MockError',
    () => createMock().fetch('https://elsewhere.test/'),
    'Use mock.baseUrl as the base URL',
  ],
  [
    'CLOCK_NOT_VIRTUAL',
    'MockError',
    () => createMock({ clock: 'system' }).clock.advance(1),
    'works only on the virtual clock',
  ],
])('%s: a %s with a message that says what to do', async (code, name, run, message) => {
  const error: unknown = await (async () => run())().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MockError);
  expect(error).toMatchObject({ code, name, message: expect.stringContaining(message) });
});

test('the errors of closed mocks and of rows are MockErrors', () => {
  expect(MockClosedError.prototype).toBeInstanceOf(MockError);
  expect(CollectionError.prototype).toBeInstanceOf(MockError);
});
