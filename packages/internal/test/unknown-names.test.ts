import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closestName, namesOf, unknownNames } from '../src/index.ts';

const known = ['baseUrl', 'apiKey', 'timeout', 'deadline', 'retry', 'rate-limit'];

test.each([
  ['timeOut', 'timeout'],
  ['tiemout', 'timeout'],
  ['baseurl', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['retries', 'retry'],
  ['rateLimit', 'rate-limit'],
  ['api-key', 'apiKey'],
])('%s is taken for %s', (name, meant) => {
  expect(closestName(name, known)).toBe(meant);
});

test.each(['colour', 'x', '', 'x'.repeat(100_000)])('nothing is close to %.20s', (name) => {
  expect(closestName(name, known)).toBeUndefined();
});

test('one edit to a longer name is always found', () => {
  fc.assert(
    fc.property(fc.constantFrom('timeout', 'deadline', 'baseUrl'), fc.nat(), (name, at) => {
      const place = at % name.length;
      expect(closestName(name.slice(0, place) + name.slice(place + 1), known)).toBe(name);
      expect(closestName(`${name.slice(0, place)}q${name.slice(place)}`, known)).toBe(name);
      expect(closestName(`${name.slice(0, place)}q${name.slice(place + 1)}`, known)).toBe(name);
    }),
  );
});

test('the first unknown name is reported with what was probably meant', () => {
  expect(unknownNames('option of createClient', { apiKey: 'k', timeOut: 1 }, known)).toBe(
    'Unknown option of createClient `timeOut`. Did you mean `timeout`?',
  );
  expect(unknownNames('field of retry', { colour: 1 }, ['limit', 'baseDelay'])).toBe(
    'Unknown field of retry `colour`. Known: limit, baseDelay.',
  );
});

test('known names pass, and a misspelled one does not, even when its value is undefined', () => {
  expect(unknownNames('option', { apiKey: undefined }, known)).toBeUndefined();
  expect(unknownNames('option', { apikeys: undefined }, known)).toContain('Did you mean `apiKey`?');
});

test('a long name, which may be a secret in the wrong place, is not repeated', () => {
  expect(unknownNames('option', { [`confab_live_${'s'.repeat(40)}`]: 1 }, known)).not.toContain('sss');
});

test('names of a type are listed once', () => {
  expect(namesOf<{ a: string; b?: number }>({ a: true, b: true })).toEqual(['a', 'b']);
});

test.each([
  ['option of createClient', null, 'The options of createClient must be an object, got null.'],
  ['option of all()', 'fast', 'The options of all() must be an object, got a string.'],
  ['field of retry', [], '`retry` must be an object, got an array.'],
  ['operation in scopes', () => {}, '`scopes` must be an object, got a function.'],
  ['field of signature', undefined, '`signature` must be an object, got undefined.'],
  ['fault field', 503, '`fault` must be an object, got a number.'],
])('%s: anything but an object is refused', (kind, given, problem) => {
  expect(unknownNames(kind, given, known)).toBe(problem);
});
