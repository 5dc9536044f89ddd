import { parseFlags, UsageError } from '@confab/internal/cli';
import type { DetectedSignature } from '../detect/detect-signature.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { isScheme } from '../signature/signature-scheme.ts';
import type { Command } from './command.ts';
import { bodyFrom, headerFlags, headersFrom, secretFlags, secretFrom } from './flags.ts';

/** Describes the result in lines. */
export const describeDetected = (detected: DetectedSignature): string[] => {
  if (!detected.found) {
    return ['not found, tried:', ...detected.tried.map((line) => `- ${line}`)];
  }
  const { signature } = detected;
  const lines = [`found: signature: ${isScheme(signature) ? signature.source : JSON.stringify(signature)}`];
  if (detected.secret === 'UTF-8') {
    lines.push(
      'The sender uses the characters of the secret as the key. Pass new TextEncoder().encode(secret) to createWebhooks.',
    );
  } else if (detected.secret !== 'as given') {
    lines.push(
      `The sender reads the secret as ${detected.secret}. Decode it, and pass its bytes to createWebhooks.`,
    );
  }
  return lines;
};

/** Finds the signature of a captured delivery. */
export const detect: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...secretFlags, ...headerFlags },
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
