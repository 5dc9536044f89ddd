import { createRedact } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** A key of printable characters. */
export const key = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const special = (text: string, write: (character: string) => string) => text.replace(/[^a-z\d]/gi, write);

/** How services, proxies, log collectors and runtimes write a text that they quote. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in lower case': (text) => text.toLowerCase(),
  'in a URL': encodeURIComponent,
  'in a URL, all of it': (text) => special(text, (character) => `%${hex(character)}`),
  'in a URL, in upper case': (text) => special(text, (character) => `%${hex(character).toUpperCase()}`),
  'in a form': (text) => new URLSearchParams({ text }).toString().slice(5),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON of PHP': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON of .NET': (text) => special(text, (character) => `\\u00${hex(character).toUpperCase()}`),
};

/** Tests that a key is redacted however it is written, with this many random keys and surroundings for each way. */
export const testEachWriting = (numRuns: number): void => {
  describe.each(Object.entries(WRITERS))('a key written %s', (_, write) => {
    test('is redacted, and nothing else is', () => {
      fc.assert(
        fc.property(
          key,
          fc.string({ maxLength: 20 }),
          fc.string({ maxLength: 20 }),
          (secret, before, after) => {
            const redact = createRedact([secret]);
            fc.pre(redact(before) === before && redact(after) === after && !before.endsWith('\\'));
            expect(redact(`${before}${write(secret)}${after}`)).toBe(`${before}[redacted]${after}`);
          },
        ),
        { numRuns },
      );
    });
  });
};
