import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closestName, unknownNames } from '../src/index.ts';

const known = ['baseUrl', 'apiKey', 'timeout', 'totalTimeout', 'retry', 'rate-limit'];

test.each([
  ['timeOut', 'timeout'],
  ['tiemout', 'timeout'],
  ['baseurl', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['retries', 'retry'],
  ['rateLimit', 'rate-limit'],
  ['api-key', 'apiKey'],
])('closestName finds for %s the known name %s', (name, meant) => {
  expect(closestName(name, known)).toBe(meant);
});

test.each(['color', 'x', '', 'x'.repeat(100_000)])('closestName finds no known name for "%.20s"', (name) => {
  expect(closestName(name, known)).toBeUndefined();
});

test('closestName finds a longer name despite any single edit', () => {
  fc.assert(
    fc.property(fc.constantFrom('timeout', 'totalTimeout', 'baseUrl'), fc.nat(), (name, number) => {
      const place = number % name.length;
      expect(closestName(name.slice(0, place) + name.slice(place + 1), known)).toBe(name);
      expect(closestName(`${name.slice(0, place)}q${name.slice(place)}`, known)).toBe(name);
      expect(closestName(`${name.slice(0, place)}q${name.slice(place + 1)}`, known)).toBe(name);
    }),
  );
});

test('unknownNames reports the first unknown name, with the closest known name or all of them', () => {
  expect(unknownNames('createClient option', { apiKey: 'k', timeOut: 1 }, known)).toBe(
    'Unknown createClient option `timeOut`. Did you mean `timeout`?',
  );
  expect(unknownNames('retry field', { color: 1 }, ['limit', 'baseDelay'])).toBe(
    'Unknown retry field `color`. Known: limit, baseDelay.',
  );
  expect(unknownNames('query parameter', { x: 1 }, [])).toBe('Unknown query parameter `x`. Known: none.');
});

test('unknownNames accepts known names, and refuses a misspelled one even if its value is undefined', () => {
  expect(unknownNames('option', { apiKey: undefined }, known)).toBeUndefined();
  expect(unknownNames('option', { apikeys: undefined }, known)).toContain('Did you mean `apiKey`?');
});

test('unknownNames hides a long name, which could be a secret in the wrong place', () => {
  expect(unknownNames('option', { [`confab_live_${'s'.repeat(40)}`]: 1 }, known)).not.toContain('sss');
});

test.each([
  ['createClient option', null, 'The createClient options must be an object, got null.'],
  ['all() option', 'fast', 'The all() options must be an object, got a string.'],
  ['retry field', [], '`retry` must be an object, got an array.'],
  ['scopes field', () => {}, '`scopes` must be an object, got a function.'],
  ['signature field', undefined, '`signature` must be an object, got undefined.'],
  ['fault field', 503, '`fault` must be an object, got a number.'],
])('unknownNames refuses a value that is not an object: %s', (kind, given, problem) => {
  expect(unknownNames(kind, given, known)).toBe(problem);
});
