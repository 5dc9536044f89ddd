import { createRedact, oneLine } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeCause } from '../src/errors/redaction.ts';
import { holdKey } from '../src/options/api-key.ts';
import { systemClock } from '../src/time/clock.ts';
import { key, testEachWriting } from './support/redact-writings.ts';

testEachWriting(100);

test('a key in base64 is redacted, whatever surrounds it', () => {
  const around = fc.string({ maxLength: 12 });
  const encodings = fc.constantFrom<BufferEncoding>('base64', 'base64url');
  fc.assert(
    fc.property(key, around, around, encodings, (secret, before, after, encoding) => {
      const text = Buffer.from(before + secret + after).toString(encoding);
      const clean = createRedact([secret])(text);
      expect(clean).toContain('[redacted]');
      for (const part of clean.split('[redacted]')) {
        // At most one character of the key beside what stood around it: the rest of a group of three bytes.
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

test.each([
  ['confab_live_abc', 'confab%5Flive%5fabc'],
  ['confab_live_abc', 'confab\\u005Flive_abc'],
  ['k"ey/with\\all', 'k\\"ey\\/with\\\\all'],
])('the key %s is redacted as %s', (secret, text) => {
  expect(createRedact([secret])(`<${text}>`)).toBe('<[redacted]>');
});

test('a text that was cut keeps what is before a cut key, and every key that was redacted', () => {
  const secret = 'confab_live_'.padEnd(40, 's3cr3t');
  const redact = createRedact([secret]);
  expect(redact(secret.slice(0, 30), 100, true)).toBe('');
  expect(redact(`${secret} ${secret.slice(0, 30)}`, 100, true)).toBe('[redacted]');
  expect(redact(`${'x'.repeat(1_000)}${secret.slice(0, 30)}`, 2_000, true)).toMatch(/^x{300,1000}$/);
  // This text is read whole, so its end needs no margin.
  expect(redact(`${secret}${'x'.repeat(200)}`, 100)).toBe(`[redacted]${'x'.repeat(90)}`);
});

test('a long text is searched only as far as needed, and no part of a key is left at its end', () => {
  fc.assert(
    fc.property(
      key,
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.string({ maxLength: 30 })), {
        maxLength: 100,
      }),
      (secret, most, parts) => {
        const text = parts.map((part) => part ?? secret).join(' ');
        const redact = createRedact([secret]);
        const clean = redact(text, most);
        expect(clean.length).toBeLessThanOrEqual(most);
        expect(redact(text).startsWith(clean)).toBe(true);
      },
    ),
  );
});

test.each(['\\', '%', '&', '&#0', '&#x00000', '&abcdefghi', '%25', '\\u{0', '&amp;', 'confab'])(
  'a long text of %j is searched in linear time',
  (part) => {
    const redact = createRedact(['confab_live_12345']);
    const text = `${part.repeat(20_000)} `;
    expect(redact(text)).toBe(text);
    const short = `${part.repeat(100)} `;
    expect(redact(`${short}confab%5flive_12345`)).toMatch(/ \[redacted\]$/);
  },
);

test('recent keys are redacted, and so is the key of a request in flight, however many followed', async () => {
  let number = 0;
  const { signal } = new AbortController();
  const holder = holdKey(() => `rotated-key-${++number}!`, systemClock);
  const first = await holder.get(signal);
  const hide = holder.redactWith(first);
  for (let count = 0; count < 100; count += 1) {
    await holder.get(signal);
  }
  expect(holder.redact('<rotated-key-101!> <rotated-key-90!>')).toBe('<[redacted]> <[redacted]>');
  expect(hide('<rotated-key-1!> <rotated-key-101!>')).toBe('<[redacted]> <[redacted]>');
});

describe('a cause', () => {
  const secret = 'confab_live_s3cr3t';
  const redact = createRedact([secret]);
  const copy = (fields: object) => safeCause(Object.assign(new Error('failed'), fields), redact);

  test.each(['name', 'code', 'message'])('has no key in its %s', (field) => {
    expect(copy({ [field]: `<${secret}>` })).toMatchObject({ [field]: '<[redacted]>' });
  });
});

test('oneLine() replaces control characters and nothing else', () => {
  expect(oneLine('a\r\nb\u0000c\u0085d\u009be\u2028f\u202eg\u2066h\u007fi\tj')).toBe('a b c d e f g h i j');
  expect(oneLine('Größe “é” 漢字 👋🏽')).toBe('Größe “é” 漢字 👋🏽');
});
