import { createRedact, oneLine } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** A key of printable characters. */
const key = fc.string({
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

describe.each(Object.entries(WRITERS))('a key written %s', (_, write) => {
  test('the key is redacted, and the rest of the text stays', () => {
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(key, around, around, (secret, before, after) => {
        const redact = createRedact([secret]);
        fc.pre(redact(before) === before && redact(after) === after);
        // A backslash beside the key may belong to its escape.
        fc.pre(!before.endsWith('\\') && !after.startsWith('\\'));
        const text = `${before}${write(secret)}${after}`;
        expect(redact(text)).toBe(`${before}[redacted]${after}`);
      }),
    );
  });
});

test('a key in base64 is redacted, whatever surrounds it', () => {
  const around = fc.string({ maxLength: 12 });
  const encodings = fc.constantFrom<BufferEncoding>('base64', 'base64url');
  fc.assert(
    fc.property(key, around, around, encodings, (secret, before, after, encoding) => {
      const text = Buffer.from(before + secret + after).toString(encoding);
      const clean = createRedact([secret])(text);
      expect(clean).toContain('[redacted]');
      for (const part of clean.split('[redacted]')) {
        // Beside the text around it, at most one character of the key may be left: the rest of a group of three bytes.
        expect(Buffer.from(part, encoding).toString('latin1')).not.toContain(secret.slice(1, -1));
      }
      expect(clean.length).toBeLessThanOrEqual(Buffer.from(before + after).length * 1.4 + 24);
    }),
  );
});

test('a short key is not redacted, because words may contain it', () => {
  for (const short of ['a', 'api', 'example', 'redact']) {
    const text = `api.example.com redacted a ${btoa(short)} ${btoa(`Bearer ${short}`)}`;
    expect(createRedact([short])(text)).toBe(text);
  }
  expect(createRedact(['eightch8'])('is eightch8.')).toBe('is [redacted].');
});

test('a truncated text keeps everything before a key that was cut off', () => {
  const secret = 'confab_live_'.padEnd(40, 's3cr3t');
  const redact = createRedact([secret]);
  expect(redact(secret.slice(0, 30), 100, true)).toBe('');
  expect(redact(`${secret} ${secret.slice(0, 30)}`, 100, true)).toBe('[redacted]');
  expect(redact(`${'x'.repeat(1_000)}${secret.slice(0, 30)}`, 2_000, true)).toMatch(/^x{300,1000}$/);
  // This text is read to its end, so nothing is left out there.
  expect(redact(`${secret}${'x'.repeat(200)}`, 100)).toBe(`[redacted]${'x'.repeat(90)}`);
});

test('a long text is searched up to maxLength, and no part of a key is left at its end', () => {
  fc.assert(
    fc.property(
      key,
      fc.constantFrom(...Object.values(WRITERS)),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.string({ maxLength: 30 })), {
        maxLength: 100,
      }),
      (secret, write, most, parts) => {
        const text = parts.map((part) => part ?? write(secret)).join(' ');
        const redact = createRedact([secret]);
        const clean = redact(text, most);
        expect(clean.length).toBeLessThanOrEqual(most);
        expect(redact(text).startsWith(clean)).toBe(true);
      },
    ),
  );
});

test.each(['\\', '%', '&#x00000', '&abcdefghi', '\\u{0', 'confab'])(
  'a long text of %j is searched in linear time',
  (part) => {
    const redact = createRedact(['confab_live_12345']);
    const text = `${part.repeat(20_000)} `;
    expect(redact(text)).toBe(text);
    const short = `${part.repeat(100)} `;
    expect(redact(`${short}confab%5flive_12345`)).toMatch(/ \[redacted\]$/);
  },
);

test('a text that consists of keys is redacted, however many there are', () => {
  const secret = 'confab_live_12345';
  expect(createRedact([secret])(`${secret} `.repeat(300_000))).toBe('[redacted] '.repeat(300_000));
});

test('oneLine() replaces control characters and nothing else', () => {
  expect(oneLine('a\r\nb\u0000c\u0085d\u009be\u2028f\u202eg\u2066h\u007fi\tj')).toBe('a b c d e f g h i j');
  expect(oneLine('Größe “é” 漢字 👋🏽')).toBe('Größe “é” 漢字 👋🏽');
});
