import { parseFlags, UsageError } from '@confab/internal/cli';
import { sign } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { signatureFlags } from './flags.ts';
import type { HeaderLines } from './post.ts';
import { postAndPrint, secondsFrom, timeoutFlags, urlFrom } from './post.ts';
import { readRecording } from './recording.ts';
import { signFlags, signOptionsFrom } from './sign-options-from.ts';

const { timestamp: _timestamp, id: _id, ...flags } = signFlags;

/** Replaces headers of the same names. */
const withHeaders = (headers: HeaderLines, others: Readonly<Record<string, string>>): HeaderLines => {
  const replaced = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...Object.entries(others)];
};

/** Sends recorded deliveries again, one after the other, and prints each response. */
export const replay: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...flags, ...timeoutFlags, to: { type: 'string', default: 'http://localhost:3000' } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    throw new UsageError(`Expected one file that "listen --record" wrote, got ${positionals.length}.`);
  }
  const url = urlFrom(values.to, '--to');
  const seconds = secondsFrom(values);
  const signs = Object.keys(signatureFlags).some((flag) => values[flag as keyof typeof flags] !== undefined);
  const options = signs ? signOptionsFrom(values, io) : undefined;
  let failed = 0;
  for (const { number, delivery } of await readRecording(file)) {
    if (delivery === undefined) {
      io.print(`Line ${number} of ${file} is cut off; skipped`);
      failed += 1;
      continue;
    }
    const { headers, body } = delivery;
    const bytes = Buffer.from(body, 'base64');
    const signed = options === undefined ? headers : withHeaders(headers, await sign(bytes, options));
    failed += (await postAndPrint(url, signed, bytes, { seconds, print: io.print })) ? 0 : 1;
  }
  return failed === 0 ? 0 : 1;
};
