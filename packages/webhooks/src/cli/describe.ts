import type { DetectedSignature } from '../detect/detect-signature.ts';
import type { SecretForm } from '../detect/secret-forms.ts';
import { isScheme } from '../signature/scheme.ts';

const adviseDecoding = (encoding: 'hex' | 'base64'): string =>
  `pass --secret-encoding ${encoding} to the other commands, and Buffer.from(secret, '${encoding}') to createWebhooks.`;

/** Advice for the other commands and for `createWebhooks`, if the secret must be decoded. */
const ADVICE: Partial<Record<SecretForm, string>> = {
  'UTF-8':
    'The sender uses the characters of the secret as the key: pass --secret-encoding text to the other commands, and new TextEncoder().encode(secret) to createWebhooks.',
  hex: `The sender reads the secret as hex: ${adviseDecoding('hex')}`,
  base64: `The sender reads the secret as base64: ${adviseDecoding('base64')}`,
  'base64 after its prefix': `The sender reads the secret as base64 after its prefix: remove the prefix, then ${adviseDecoding('base64')}`,
};

/** Describes the result of `detectSignature` in lines. */
export const describeDetected = (detected: DetectedSignature): string[] => {
  if (!detected.found) {
    return ['No signature was found. Tried:', ...detected.tried.map((line) => `- ${line}`)];
  }
  const { signature, secret } = detected;
  const line = `found: signature: ${isScheme(signature) ? signature.source : JSON.stringify(signature)}`;
  return [line, ...[ADVICE[secret] ?? []].flat()];
};

/** Returns the message of an error, with commands and flags in place of the functions and options that it names. */
export const describeError = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace('`npx @confab/webhooks listen`', '"confab-webhooks detect"')
    .replace('new TextEncoder().encode(secret)', '--secret-encoding text')
    .replace('set `decompress`', 'add "decompress":true to --options')
    .replace('set `prefix` to it', `pass it as --options '{"prefix":"…"}'`)
    .replace(/is in (\w+)\. Set `unit`/, 'is in $1. Add "unit":"$1" to --options');
