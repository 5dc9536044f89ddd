import { parseFlags, UsageError } from '@confab/internal/cli';
import type { DetectedSignature } from '../detect/detect-signature.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import type { SecretForm } from '../detect/secret-forms.ts';
import { isScheme } from '../signature/scheme.ts';
import type { Command } from './command.ts';
import { bodyFrom, headerFlags, headersFrom, secretFlags, secretFrom } from './flags.ts';

/** What to pass to the other commands and to `createWebhooks` when the secret must be decoded. */
const ADVICE: Partial<Record<SecretForm, string>> = {
  'UTF-8':
    'The sender uses the characters of the secret as the key. Pass --secret-encoding text to the other commands, and new TextEncoder().encode(secret) to createWebhooks.',
  hex: "The sender reads the secret as hex. Pass --secret-encoding hex to the other commands, and Buffer.from(secret, 'hex') to createWebhooks.",
  base64:
    "The sender reads the secret as base64. Pass --secret-encoding base64 to the other commands, and Buffer.from(secret, 'base64') to createWebhooks.",
  'base64 after its prefix':
    "The sender reads the secret as base64 after its prefix. Remove the prefix. Then pass --secret-encoding base64 to the other commands, and Buffer.from(secret, 'base64') to createWebhooks.",
};

/** Describes the result in lines. */
export const describeDetected = (detected: DetectedSignature): string[] => {
  if (!detected.found) {
    return ['not found, tried:', ...detected.tried.map((line) => `- ${line}`)];
  }
  const { signature } = detected;
  const lines = [`found: signature: ${isScheme(signature) ? signature.source : JSON.stringify(signature)}`];
  const advice = ADVICE[detected.secret];
  return advice === undefined ? lines : [...lines, advice];
};

/** Finds the signature of a captured delivery. */
export const detect: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    // No --secret-encoding: every encoding is tried.
    options: { secret: secretFlags.secret, ...headerFlags },
    allowPositionals: true,
  });
  // Checked before the body is read, because a terminal would wait for input.
  const headers = headersFrom(values.H);
  if (headers.length === 0) {
    throw new UsageError('No -H. Pass each header of the delivery, such as -H "name: value".');
  }
  const secret = secretFrom(values, io);
  const detected = await detectSignature({ headers, body: await bodyFrom(positionals, io), secret });
  for (const line of describeDetected(detected)) {
    io.print(line);
  }
  return detected.found ? 0 : 1;
};
