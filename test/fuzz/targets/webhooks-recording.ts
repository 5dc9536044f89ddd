/**
 * Recordings of `confab-webhooks listen`: refused in one line that names the line, or deliveries that HTTP can carry; a line
 * that is cut off is skipped, and what was read is written and read as the same.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { UsageError } from '@confab/internal/cli';
import { parseRecording } from '../../../packages/webhooks/src/cli/recording.ts';
import { assert, checkMessage, define, fc, nearJsonText, parsed, same } from '../kit.ts';

/** Whether a line could be sent again, byte for byte. */
const isDelivery = (line: string): boolean => {
  try {
    const { headers, body } = parsed(line) as { headers: [string, string][]; body: string };
    assert.ok(Array.isArray(headers));
    for (const pair of headers) {
      validateHeaderName(pair[0]);
      validateHeaderValue(...pair);
      assert.ok(pair.length === 2 && pair.every((text) => typeof text === 'string'));
    }
    return Buffer.from(body, 'base64').toString('base64') === body;
  } catch {
    return false;
  }
};

const LINES = [
  '{"receivedAt":"2026-01-31T12:00:00.000Z","headers":[["X-Sig","9f86"],["Content-Type","application/json"]],"body":"e30="}',
  '{"receivedAt":"","headers":[],"body":"AAEC/w=="}',
];
const TOKENS = '\n \r e30= \ufeff \\u0000 content-length transfer-encoding {"receivedAt":" é';

const like = nearJsonText(LINES.map(parsed), TOKENS);
const line = fc.oneof(fc.constantFrom(...LINES), like);

export const target = define(
  fc
    .tuple(fc.constantFrom('', '\ufeff'), fc.array(line, { maxLength: 4 }))
    .map(([mark, lines]) => mark + lines.join('\n')),
  (text) => {
    const lines = text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    try {
      const read = parseRecording('deliveries.jsonl', text).map(({ delivery }) => delivery);
      assert.deepEqual(
        read.map((delivery) => delivery !== undefined),
        lines.map(isDelivery),
      );
      const kept = read.filter((delivery) => delivery !== undefined);
      const written = kept.map((delivery) => `${JSON.stringify(delivery)}\n`).join('');
      same(
        kept.length === 0 ? [] : parseRecording('again.jsonl', written).map(({ delivery }) => delivery),
        kept,
        'read again',
      );
    } catch (error) {
      assert.ok(error instanceof UsageError, error as Error);
      checkMessage(error.message);
      assert.ok(lines.length === 0 || /^Line \d+ /.test(error.message), 'the message names no line');
      assert.ok(lines.length === 0 || !lines.every(isDelivery), 'a recording was refused');
    }
  },
);
