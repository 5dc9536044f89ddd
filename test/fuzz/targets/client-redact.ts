import { createRedact } from '@confab/internal';
import type { Target } from '../engine/target.ts';
import { hold } from '../engine/target.ts';

const KEYS = ['confab_live_s3cr3tS3cr3tS3cr3t', 'k/+=&<">%~x', 'Aa0-_.~Zz9'];
const redacts = KEYS.map((key) => createRedact([key]));

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const special = (text: string, write: (character: string) => string) => text.replace(/[^a-z\d]/gi, write);

/** How a key may be written. Digits in an input choose among them: `$0`, `$1` and so on. */
const WRITINGS: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => encodeURIComponent(key),
  (key) => JSON.stringify(key).slice(1, -1),
  (key) => key.toUpperCase(),
  (key) => special(key, (character) => `%${hex(character)}`),
  (key) => special(key, (character) => `\\u00${hex(character)}`),
];

const character = (code: string, radix: number) => String.fromCharCode(Number.parseInt(code, radix));

/** The decoders that readers of logs and URLs use. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/%([2-7][\da-f])/gi, (_, code) => character(code, 16)),
  (text) =>
    text.replaceAll(/\\(?:u00([2-7][\da-f])|(["\\/]))/gi, (_, code, plain) => plain ?? character(code, 16)),
];

/** Whether a reader finds the key in a text. */
const reveals = (text: string, key: string, layers = 1): boolean => {
  if (text.toLowerCase().includes(key.toLowerCase())) {
    return true;
  }
  return (
    layers > 0 &&
    DECODERS.some((decode) => {
      const decoded = decode(text);
      return decoded !== text && reveals(decoded, key, layers - 1);
    })
  );
};

/** The first character chooses a key, the second the length to cut at. `$` with a digit stands for the key. */
export const target: Target = {
  checks:
    'Texts with a key as it is, as a URL and as JSON write it: no decoder finds the key in the result, cut or whole, and a text without it is unchanged',
  maxBytes: 160,
  work: (bytes) => 1_000 + 1_200 * bytes,
  words: ['$0', '$1', '$2', '$3', '$4', '$5', '%25', '\\\\', '\\u00', '[redacted]'],
  run: (input) => {
    const text = Buffer.from(input).toString('utf8');
    const chosen = text.charCodeAt(0) % KEYS.length || 0;
    const key = KEYS[chosen] ?? '';
    const redact = redacts[chosen] ?? redacts[0];
    const most = text.charCodeAt(1) || 0;
    // The space keeps an unfinished escape, such as `%2`, from swallowing the first letter of an escaped key.
    const written = text
      .slice(2)
      .replaceAll(/\$(\d)/g, (_, digit) => ` ${WRITINGS[Number(digit) % WRITINGS.length]?.(key)}`);

    const clean = redact?.(written) ?? '';
    hold(!reveals(clean, key), 'the key is found in the result');
    hold(clean === written || clean.includes('[redacted]'), 'a text without the key was changed');
    if (written.includes(key)) {
      hold(clean.includes('[redacted]'), 'a key vanished');
    }
    const cut = redact?.(written, most) ?? '';
    hold(cut.length <= most && !reveals(cut, key, 1), 'a cut text is too long, or has the key');
    // What was cut before: no beginning of the key is left at the end.
    const half = redact?.(written + key.slice(0, -1), undefined, true) ?? '';
    hold(!half.toLowerCase().endsWith(key.slice(0, -1).toLowerCase()), 'most of a key is left at the end');
  },
};
