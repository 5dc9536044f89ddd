import { validateHeaderName, validateHeaderValue } from 'node:http';
import { UsageError } from '@confab/internal/cli';
import { parseRecording } from '../../../packages/webhooks/src/cli/recording.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a line could be sent again, byte for byte. */
const isDelivery = (line: string): boolean => {
  try {
    const { headers, body } = JSON.parse(line) as { headers: unknown; body: unknown };
    const pairs = headers as [string, string][];
    hold(
      pairs.every((pair) => pair.length === 2 && pair.every(isText)),
      '',
    );
    for (const [name, value] of pairs) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return isText(body) && Buffer.from(body, 'base64').toString('base64') === body;
  } catch {
    return false;
  }
};

/** Each input is the text of a recording. */
export const target: Target = {
  checks:
    'Recordings of `confab-webhooks listen`: refused in one line that names the line, or deliveries that HTTP can carry; a line that is cut off is skipped, and what was read is written and read as the same',
  maxBytes: 1_500,
  work: (bytes) => 4_000 + 60 * bytes,
  words: [
    '\n',
    '{"receivedAt":"',
    '"headers":[["',
    '"body":"',
    'e30=',
    '\ufeff',
    '\\u0000',
    'content-length',
    'transfer-encoding',
  ],
  run: (input) => {
    const text = Buffer.from(input).toString('utf8');
    const lines = text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    let read: ReturnType<typeof parseRecording>;
    try {
      read = parseRecording('deliveries.jsonl', text);
    } catch (error) {
      hold(error instanceof UsageError, `threw ${error}`);
      hold(!/[\p{Cc}\u2028\u2029]/u.test(error.message), 'the message is not one line');
      hold(lines.length === 0 || /^Line \d+ /.test(error.message), 'the message names no line');
      hold(!lines.every(isDelivery) || lines.length === 0, 'a recording was refused');
      return;
    }
    same(
      read.map(({ delivery }) => delivery !== undefined),
      lines.map(isDelivery),
      'deliveries',
    );
    const kept = read.flatMap(({ delivery }) => delivery ?? []);
    if (kept.length > 0) {
      const written = kept.map((delivery) => `${JSON.stringify(delivery)}\n`).join('');
      same(
        parseRecording('again.jsonl', written).map(({ delivery }) => delivery),
        kept,
        'read again',
      );
    }
  },
};
