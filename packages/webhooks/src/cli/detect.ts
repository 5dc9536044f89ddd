import { parseArgs } from 'node:util';
import { type DetectedSignature, detectSignature } from '../detect/detect-signature.ts';
import type { Command } from './command.ts';
import { bodyFrom, headerFlags, headersFrom, secretFlags, secretFrom } from './flags.ts';

/** What was found, in lines. */
export const describeDetected = (detected: DetectedSignature): string[] => {
  if (!detected.found) return ['not found. Tried:', ...detected.tried.map((line) => `- ${line}`)];
  const lines = [`found: signature: ${JSON.stringify(detected.signature)}`];
  if (detected.secret !== 'as given') {
    lines.push(`The secret is ${detected.secret}: decode it, and pass its bytes to createWebhooks.`);
  }
  return lines;
};

/** Finds where a captured delivery carries its signature. */
export const detect: Command = async (args, io) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...secretFlags, ...headerFlags },
    allowPositionals: true,
  });
  const detected = await detectSignature({
    headers: headersFrom(values.H),
    body: await bodyFrom(positionals, io),
    secret: secretFrom(values, io),
  });
  for (const line of describeDetected(detected)) io.print(line);
  return detected.found ? 0 : 1;
};
