import { expect, test } from 'vitest';
import { pathName, valueAt } from '../src/index.ts';

test('pathName writes a path as code would', () => {
  expect(pathName(['data', 3, 'createdAt'])).toBe('data[3].createdAt');
  expect(pathName([3, 'createdAt'], 'data')).toBe('data[3].createdAt');
  expect(pathName([Symbol.iterator], 'data')).toBe('data.Symbol(Symbol.iterator)');
  expect(pathName([], 'body')).toBe('body');
  expect(pathName([])).toBe('');
});

test('valueAt returns the value at a path, or undefined if the path does not exist', () => {
  const value = { data: [null, 'b'] };
  expect(valueAt(value, ['data', 1])).toBe('b');
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ['data', 0, 'id'])).toBeUndefined();
  expect(valueAt(value, ['data', 1, 'length'])).toBeUndefined();
});
