import { expect, test } from 'vitest';
import { pathName, valueAt } from '../src/index.ts';

test('a path is written as code would write it', () => {
  expect(pathName(['data', 3, 'createdAt'])).toBe('data[3].createdAt');
  expect(pathName([3, 'createdAt'], 'data')).toBe('data[3].createdAt');
  expect(pathName([Symbol.iterator], 'data')).toBe('data.Symbol(Symbol.iterator)');
  expect(pathName([], 'body')).toBe('body');
  expect(pathName([])).toBe('');
});

test('a path leads to its value, or to undefined if the value lacks it', () => {
  const value = { data: [null, 'b'] };
  expect(valueAt(value, ['data', 1])).toBe('b');
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ['data', 0, 'id'])).toBeUndefined();
  expect(valueAt(value, ['data', 1, 'length'])).toBeUndefined();
});
