import { createRedact, oneLine } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeCause } from '../src/errors/redaction.ts';
import { holdKey } from '../src/options/api-key.ts';
import { systemClock } from '../src/time/clock.ts';
import { key, testEachWriting } from './support/redact-writings.ts';

// redact.slow.test.ts makes more runs.
testEachWriting(30);

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

test.each(['Bearer ', 'user:', ':', ''])('a header with the key in base64 is redacted: %j', (before) => {
  const redact = createRedact(['confab_live_s3cr3tS3cr3tS3cr3t']);
  const clean = redact(btoa(`${before}confab_live_s3cr3tS3cr3tS3cr3t`));
  expect(Buffer.from(clean.split('[redacted]')[0]!, 'base64').toString()).not.toContain('confab');
  expect(clean.length - '[redacted]'.length).toBeLessThan(14);
});

test('a short key is not redacted, because words may contain it', () => {
  for (const short of ['a', 'api', 'example', 'redact']) {
    const text = `api.example.com redacted a ${btoa(short)} ${btoa(`Bearer ${short}`)}`;
    expect(createRedact([short])(text)).toBe(text);
  }
  expect(createRedact(['eightch8'])('is eightch8.')).toBe('is [redacted].');
});

test('an escaped key is redacted whole next to a character that it begins with', () => {
  expect(createRedact(['<!!!!!!!!'])('<&lt;!!!!!!!!')).toBe('<[redacted]');
});

test('a key that looks like an escape is redacted when its letters are escaped, too', () => {
  expect(createRedact(['!\\X20!!!!!!!'])('%21\\%582%30!%21!%21!%21!')).toBe('[redacted]');
});

test.each([
  ['an unfinished escape before it', '%u006\\u0063onfab_live_abc'],
  ['digits behind a key that ends as an escape begins', 'confab_live_a%41'],
  ['both as it is and escaped', 'confab_live_abc %63onfab_live_abc'],
])('a key is redacted with %s', (_, text) => {
  const clean = createRedact(['confab_live_abc', 'confab_live_a%'])(text);
  expect(clean).toMatch(/^(?:%u006)?\[redacted\](?:41| \[redacted\])?$/);
});

test('a text loses its escapes only if it contains a key', () => {
  const redact = createRedact(['confab_live_12345']);
  const key = '%63onfab_live_1234\\u0035';
  expect(redact(`100% of &#60;${key}&#62; in "C:\\temp"`)).toBe('100% of <[redacted]> in "C:temp"');
  const without = '100% of &lt;a&gt; in "C:\\temp\\" &#99;%63';
  expect(redact(without)).toBe(without);
});

test.each([
  '%63',
  '%u0063',
  '&#99;',
  '&#99',
  '&#0000099;',
  '&#x63;',
  '&#x63',
  '&#x0000063;',
  '\\u0063',
  '\\x63',
  '\\u{63}',
  '\\u{000063}',
  '\\\\\\u0063',
  '\\c',
  '\\\\\\c',
])('a key is redacted with its first letter written as %s', (letter) => {
  expect(createRedact(['confab_live_abc'])(`<${letter}onfab_live_abc>`)).toBe('<[redacted]>');
});

test.each(['&lowbar;', '&UnderBar;', '&#95;', '&#095', '%5f', '%5F', '\\x5F'])(
  'a key is redacted with its special characters written as %s',
  (special) => {
    const text = `<${'confab_live_abc'.replaceAll('_', special)}>`;
    expect(createRedact(['confab_live_abc'])(text)).toBe('<[redacted]>');
  },
);

test('in a text that contains a key, escapes become the characters that they stand for', () => {
  const redact = createRedact(['confab_live_12345']);
  expect(redact('confab_live_12345 &lt;a&gt; &quot;b&quot; &amp; \\"c\\" %2525 %41')).toBe(
    '[redacted] <a> "b" & "c" % A',
  );
  const none = '%8a %1f %7x %u1163 &#8; &#x8a; &1t; &; & %';
  expect(redact(`confab_live_12345 ${none}`)).toBe(`[redacted] ${none}`);
});

test('what a key is without its escapes is redacted from four characters on', () => {
  expect(createRedact(['%41%42%43%44'])('ABCD %41%42%43%44')).toBe('[redacted] [redacted]');
  const three = createRedact(['%41%42%43']);
  expect(three('ABC')).toBe('ABC');
  expect(three('%41%42%43')).toBe('[redacted]');
});

test('without a key to hide, a text is only shortened', () => {
  expect(createRedact([])('&lt;text', 3)).toBe('&lt');
  expect(createRedact(['short'])('short text')).toBe('short text');
});

test('a text that was cut keeps what is before a cut key, and every key that was redacted', () => {
  const secret = 'confab_live_'.padEnd(40, 's3cr3t');
  const redact = createRedact([secret]);
  expect(redact(secret.slice(0, 30), 100, true)).toBe('');
  expect(redact(`${secret} ${secret.slice(0, 30)}`, 100, true)).toBe('[redacted]');
  expect(redact(`${'x'.repeat(1_000)}${secret.slice(0, 30)}`, 2_000, true)).toMatch(/^x{300,1000}$/);
  // This text is read whole, so its end needs no margin.
  expect(redact(`${secret}${'x'.repeat(700)}`, 100)).toBe(`[redacted]${'x'.repeat(90)}`);
});

test('keys with a common prefix are each redacted whole, in any order', () => {
  const keys = ['first-key-12345', 'first-key-12345-and-more', 'first-key', 'key-12345-and-more'];
  for (const order of [keys, keys.toReversed(), keys.toSorted()]) {
    const redact = createRedact(order);
    for (const secret of keys) {
      expect(redact(`<${secret}>`)).toBe('<[redacted]>');
    }
    expect(redact(btoa(keys[1]!))).toMatch(/^\[redacted\].{0,3}$/);
  }
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

test('a text full of keys has no part of one where it is cut', () => {
  const secret = `confab_live_${'s3cr3t'.repeat(20)}`;
  const clean = createRedact([secret])(`${secret} `.repeat(1_000), 1_000);
  expect(clean).toMatch(/^(?:\[redacted\] )+/);
  expect(clean).not.toMatch(/confab|s3cr3t/);
});

test.each(['\\', '%', '&', '&#0', '&#x00000', '&abcdefghi', '%25', '\\u{0', '&amp;', 'confab'])(
  'a long text of %j is searched in linear time',
  (part) => {
    const redact = createRedact(['confab_live_12345']);
    const text = `${part.repeat(20_000)} `;
    expect(redact(text)).toBe(text);
    const short = `${part.repeat(100)} `;
    expect(redact(`${short}confab_live_1234%35`)).toMatch(/ \[redacted\]$/);
  },
);

test('no more of a text is read than needed, plus the length of a key', () => {
  const text = {
    length: 1e9,
    slice: (from: number, to: number) => {
      expect(to - from).toBeLessThan(2_000);
      return 'x'.repeat(to - from);
    },
  };
  expect(createRedact(['confab_live_12345'])(text as string, 1_000)).toBe('x'.repeat(1_000));
});

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

  test.each(['name', 'code', 'message'])('is on one line and of bounded length by its %s', (field) => {
    expect(copy({ [field]: 'a\nconfab: all is well\u001b[2K' })).toMatchObject({
      [field]: 'a confab: all is well [2K',
    });
    expect(copy({ [field]: 'x'.repeat(100_000) })).toMatchObject({ [field]: 'x'.repeat(1_000) });
  });
});

test('oneLine() replaces control characters and nothing else', () => {
  expect(oneLine('a\r\nb\u0000c\u0085d\u009be\u2028f\u202eg\u2066h\u007fi\tj')).toBe('a b c d e f g h i j');
  expect(oneLine('Größe “é” 漢字 👋🏽')).toBe('Größe “é” 漢字 👋🏽');
});
