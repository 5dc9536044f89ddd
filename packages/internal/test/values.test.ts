import { expect, test } from 'vitest';
import { typeName } from '../src/index.ts';

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  ['', 'a string'],
  [Number.NaN, 'a number'],
  [() => {}, 'a function'],
  [Promise.resolve(), 'a Promise: await it'],
])('typeName(%o) is "%s"', (value, name) => {
  expect(typeName(value)).toBe(name);
});
