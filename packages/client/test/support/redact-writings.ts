import { createRedact } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** A key of printable characters. One that is almost only escapes is searched for only as it is, so there is none. */
export const key = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => text.replace(/[\\%&][\w#;{}]*/g, '').length >= 8);
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const every = (text: string, write: (character: string) => string) => [...text].map(write).join('');
const special = (text: string, write: (character: string) => string) => text.replace(/[^a-z\d]/gi, write);

/** How services, proxies, log collectors and runtimes write a text that they quote. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in lower case': (text) => text.toLowerCase(),
  'in a URL': encodeURIComponent,
  'in a URL, all of it': (text) => special(text, (character) => `%${hex(character)}`),
  'in a URL, in upper case': (text) => special(text, (character) => `%${hex(character).toUpperCase()}`),
  'in a URL inside a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a form': (text) => new URLSearchParams({ text }).toString().slice(5),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON of PHP': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON of .NET': (text) => special(text, (character) => `\\u00${hex(character).toUpperCase()}`),
  'in HTML': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'in HTML, in decimals': (text) => special(text, (character) => `&#${character.charCodeAt(0)};`),
  'in HTML, in hexadecimals': (text) => special(text, (character) => `&#x${hex(character)};`),
  'in a URL, letter by letter': (text) => every(text, (character) => `%${hex(character)}`),
  'in a URL inside two URLs, letter by letter': (text) =>
    every(text, (character) => `%2525${hex(character)}`),
  'in a URL, in the form of IIS': (text) => every(text, (character) => `%u00${hex(character)}`),
  'in HTML, letter by letter in decimals': (text) =>
    every(text, (character) => `&#${character.charCodeAt(0)};`),
  'in HTML, letter by letter with zeros': (text) => every(text, (character) => `&#X000${hex(character)};`),
  'in HTML inside HTML': (text) => every(text, (character) => `&amp;#${character.charCodeAt(0)};`),
  'in HTML inside a URL': (text) =>
    encodeURIComponent(every(text, (character) => `&#${character.charCodeAt(0)};`)),
  'in JSON, letter by letter': (text) => every(text, (character) => `\\u00${hex(character)}`),
  'in JSON inside JSON, letter by letter': (text) => every(text, (character) => `\\\\u00${hex(character)}`),
  'in JavaScript, letter by letter': (text) => every(text, (character) => `\\x${hex(character)}`),
  'in JavaScript, with braces': (text) => every(text, (character) => `\\u{${hex(character)}}`),
  'with every second letter escaped': (text) =>
    [...text].map((character, nth) => (nth % 2 === 0 ? `%${hex(character)}` : character)).join(''),
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
            fc.pre(redact(before) === before && redact(after) === after);
            // The escapes around a key are undone, too.
            fc.pre(!/[\\%&]/.test(before + after) && !/[#\w]$/.test(before) && !/^[#;\w]/.test(after));
            const clean = redact(`${before}${write(secret)}${after}`);
            // A key that ends as an escape begins is found before the escape of its last character is undone.
            const rest = /[\\%&]$/.test(secret) ? write(secret.slice(-1)).slice(1) : '';
            expect([`${before}[redacted]${after}`, `${before}[redacted]${rest}${after}`]).toContain(clean);
          },
        ),
        { numRuns },
      );
    });
  });
};
