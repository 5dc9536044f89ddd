import { beforeAll, expect, test, vi } from 'vitest';
import * as client from '../src/index.ts';

const { ApiError, ConfabError, isConfabError } = client;

let copy: typeof client;

// A second copy of the whole package, as a dependency may bring one.
beforeAll(async () => {
  vi.resetModules();
  copy = await import('../src/index.ts');
});

test('instanceof recognizes errors of the same class from another copy of the package, and no others', () => {
  const classes = Object.entries(client).filter(([name]) => /^[A-Z].*Error$/.test(name));
  expect(classes.length).toBeGreaterThan(15);
  for (const [name, here] of classes as [string, typeof ConfabError][]) {
    for (const [other, there] of Object.entries(copy) as [string, typeof ConfabError][]) {
      if (/^[A-Z].*Error$/.test(other)) {
        const error = Object.create(there.prototype);
        const extended = Reflect.get(client, other).prototype instanceof here;
        expect([name, other, error instanceof here]).toEqual([name, other, name === other || extended]);
        expect(isConfabError(error)).toBe(true);
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
])('isConfabError(%o) is false', (value) => {
  expect(isConfabError(value)).toBe(false);
  expect(value instanceof ApiError).toBe(false);
});
