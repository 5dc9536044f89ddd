import { didYouMean, parseFlags, UsageError } from '@confab/internal/cli';
import { sign } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { bodyFrom } from './flags.ts';
import { postAndPrint, secondsFrom, timeoutFlags, urlFrom } from './post.ts';
import { signFlags, signOptionsFrom } from './sign-options-from.ts';

/** What is sent without --data. */
const SAMPLES: Readonly<Record<string, object>> = {
  'message.created': {
    conversationId: '00000000-0000-4000-8000-000000000000',
    channel: 'web',
    body: 'Hello',
  },
};

const dataFrom = async (text: string, io: Parameters<Command>[1]): Promise<unknown> => {
  const json = text.startsWith('@') ? Buffer.from(await bodyFrom([text.slice(1)], io)).toString() : text;
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError(
      `--data must be JSON, or @ and the name of a file with JSON, got ${JSON.stringify(text)}.`,
    );
  }
};

/** A name may belong to an event that the API does not document, so a misspelled one is not refused. */
const suggestionFor = (event: string): string =>
  Object.hasOwn(SAMPLES, event) ? '' : didYouMean(event, Object.keys(SAMPLES)).trimEnd();

/** Signs an event, sends it to a receiver and prints the response. */
export const send: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...signFlags, ...timeoutFlags, to: { type: 'string' }, data: { type: 'string' } },
    allowPositionals: true,
  });
  const [event, ...more] = positionals;
  if (event === undefined || more.length > 0) {
    throw new UsageError(
      `Expected the name of one event, such as message.created, got ${positionals.length}.`,
    );
  }
  if (values.to === undefined) {
    throw new UsageError('No --to. Pass the URL of the receiver.');
  }
  const url = urlFrom(values.to, '--to');
  const seconds = secondsFrom(values);
  const data = values.data === undefined ? (SAMPLES[event] ?? {}) : await dataFrom(values.data, io);
  const options = signOptionsFrom(values, io);
  const body = Buffer.from(JSON.stringify({ event, data }));
  const suggestion = suggestionFor(event);
  if (suggestion !== '') {
    io.print(`The API documents no event ${JSON.stringify(event)}. ${suggestion}`);
  }
  const headers = { 'Content-Type': 'application/json', ...(await sign(body, options)) };
  return (await postAndPrint(url, Object.entries(headers), body, { seconds, print: io.print })) ? 0 : 1;
};
