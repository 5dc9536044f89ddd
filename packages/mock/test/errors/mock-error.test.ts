import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CollectionError, createMock, MockClosedError, MockError } from '../../src/index.ts';

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

test('errors of closed mocks and of rows are MockErrors with a code and a name of their own', async () => {
  const mock = createMock();
  expect(() => mock.leads.create({ id: 'seven' })).toThrow(
    expect.objectContaining({ code: 'INVALID_ROW', name: 'CollectionError' }),
  );
  await expect(mock.fetch('https://elsewhere.test/')).rejects.toMatchObject({
    ...{ code: 'WRONG_ORIGIN', name: 'MockError' },
    message: expect.stringContaining('Use mock.baseUrl as the base URL'),
  });
  await mock.close();
  await expect(mock.inbound({ phone: '+5511987654321', body: 'Hi' })).rejects.toMatchObject({
    ...{ code: 'MOCK_CLOSED', name: 'MockClosedError' },
    message: expect.stringContaining('mock.inbound() needs an open mock'),
  });
  for (const { prototype } of [MockClosedError, CollectionError]) {
    expect(prototype).toBeInstanceOf(MockError);
  }
});
