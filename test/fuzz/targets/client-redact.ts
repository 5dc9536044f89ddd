/**
 * A key as it is, as URLs write it and as JSON does: no decoder finds it in the result, cut or whole, and a text without
 * the key is unchanged.
 */
import { createRedact } from '@confab/internal';
import { assert, define, fc, piece } from '../kit.ts';

const KEYS = ['confab_live_s3cr3tS3cr3tS3cr3t', 'k/+=&<">%~x', 'Aa0-_.~Zz9'];

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const special = (text: string, write: (character: string) => string) => text.replace(/[^a-z\d]/gi, write);

/** How a key may be written. */
const WRITINGS: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => key.toUpperCase(),
  (key) => encodeURIComponent(key),
  (key) => JSON.stringify(key).slice(1, -1),
  (key) => special(key, (character) => `%${hex(character)}`),
  (key) => special(key, (character) => `\\u00${hex(character)}`),
];

const character = (code: string) => String.fromCharCode(Number.parseInt(code, 16));

/** The decoders that readers of URLs and logs use. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/%([2-7][\da-f])/gi, (_, code) => character(code)),
  (text) =>
    text.replaceAll(/\\(?:u00([2-7][\da-f])|(["\\/]))/gi, (_, code, plain) => plain ?? character(code)),
];

/** Whether a reader finds the key in a text. */
const reveals = (text: string, key: string, layers = 1): boolean =>
  text.toLowerCase().includes(key.toLowerCase()) ||
  (layers > 0 &&
    DECODERS.some((decode) => {
      const decoded = decode(text);
      return decoded !== text && reveals(decoded, key, layers - 1);
    }));

/** A piece of text, or the number of a writing of the key. */
const part = fc.oneof(
  fc.nat(WRITINGS.length - 1),
  piece(['%25', '\\\\', '\\u00', '[redacted]', '{"key":"', '?key=', 'confab_live_'], 10),
);

export const target = define(
  fc.record({ key: fc.constantFrom(...KEYS), parts: fc.array(part, { maxLength: 8 }), most: fc.nat(120) }),
  ({ key, parts, most }) => {
    const redact = createRedact([key]);
    // The space keeps an unfinished escape, such as `%2`, from swallowing the first letter of an escaped key.
    const text = parts
      .map((part) => (typeof part === 'string' ? part : ` ${WRITINGS[part]?.(key)}`))
      .join('');
    const clean = redact(text);
    assert.ok(!reveals(clean, key), 'the key is found in the result');
    assert.ok(clean === text || clean.includes('[redacted]'), 'a text without the key was changed');
    assert.ok(!text.includes(key) || clean.includes('[redacted]'), 'a key vanished');
    const cut = redact(text, most);
    assert.ok(cut.length <= most && !reveals(cut, key, 1), 'a cut text is too long, or has the key');
    // Where the text was cut before: no beginning of the key is left at the end.
    const start = key.slice(0, -1);
    assert.ok(
      !redact(text + start, undefined, true)
        .toLowerCase()
        .endsWith(start.toLowerCase()),
      'most of a key is left',
    );
  },
);
