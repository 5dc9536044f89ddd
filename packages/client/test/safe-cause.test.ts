import { expect, test } from 'vitest';
import { describeCause, innermost, safeCause, visible } from '../src/errors/redaction.ts';

const redact = (text: string, most?: number) => text.replaceAll('secret', '[redacted]').slice(0, most);
const copyOf = (error: unknown) => safeCause(error, redact);

/** The messages of an error and its causes. */
const messagesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];

test('a chain of causes is copied three deep, each without secrets and on one line', () => {
  const chain = ['d', 'c', 'b\nsecret', 'a'].reduce<Error | undefined>(
    (cause, message) => new Error(message, { cause }),
    undefined,
  );
  expect(messagesOf(copyOf(chain))).toEqual(['a', 'b [redacted]', 'c']);
  expect(copyOf(new Error('alone'))).not.toHaveProperty('cause');
});

test.each([undefined, null, 'text', 5, { message: 'like an error' }])('%o is no cause', (thrown) => {
  expect(copyOf(thrown)).toBeUndefined();
  expect(copyOf(new Error('outer', { cause: thrown }))).not.toHaveProperty('cause');
});

test('the copy has the name and the code of the error, and nothing else', () => {
  const error = Object.assign(new TypeError('failed'), { code: 'E_secret', request: { key: 'secret' } });
  const copy = copyOf(error);
  expect(copy).toMatchObject({ name: 'TypeError', message: 'failed', code: 'E_[redacted]' });
  expect(copy).not.toHaveProperty('request');
  expect(copyOf(Object.assign(new Error('failed'), { code: 5 }))).not.toHaveProperty('code');
});

test('an error without a message has those of its first three errors, or its code', () => {
  const several = new AggregateError([new Error('a'), 'no error', new Error('b'), new Error('c')]);
  expect(copyOf(several)?.message).toBe('a, b');
  expect(copyOf(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))?.message).toBe('ECONNREFUSED');
  expect(copyOf(new Error(''))?.message).toBe('');
});

test('an error whose getter throws is no cause', () => {
  const hostile = Object.defineProperty(new Error('x'), 'name', {
    get() {
      throw new Error('hostile');
    },
  });
  expect(copyOf(hostile)).toBeUndefined();
});

test('a cause is described by its message and that of the innermost one, once', () => {
  const inner = new Error('refused');
  const outer = new Error('fetch failed', { cause: new Error('between', { cause: inner }) });
  expect(innermost(outer)).toBe(inner);
  expect(innermost(new Error('x', { cause: 'text' })).message).toBe('x');
  expect(describeCause(outer)).toBe('fetch failed: refused');
  expect(describeCause(inner)).toBe('refused');
  expect(describeCause(new Error('', { cause: inner }))).toBe('refused');
  expect(describeCause(new Error(''))).toBe('unknown error');
  expect(describeCause(undefined)).toBe('unknown error');
});

test('invisible characters of a name are shown by their code points, and spaces as they are', () => {
  expect(visible('\ufeffphone number')).toBe('\\u{feff}phone number');
  expect(visible('a\u00a0b\u200bc\u{e0001}')).toBe('a\\u{a0}b\\u{200b}c\\u{e0001}');
  expect(visible('Größe 漢字 👍')).toBe('Größe 漢字 👍');
});
