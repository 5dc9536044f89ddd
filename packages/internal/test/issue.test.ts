import { expect, test } from 'vitest';
import { pathName, typeName, valueAt } from '../src/index.ts';

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  ['', 'a string'],
  [Number.NaN, 'a number'],
  [() => {}, 'a function'],
  [Promise.resolve(), 'a Promise: await it'],
])('the type of %o is called "%s"', (value, name) => {
  expect(typeName(value)).toBe(name);
});

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
