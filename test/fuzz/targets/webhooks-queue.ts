/**
 * Jobs of a queue: `process` runs the handlers of exactly the jobs that a reference accepts, once for each id, and refuses
 * the others for good; a job that `enqueue` wrote is one of them.
 */
import type { Delivery } from '@confab/webhooks';
import { createWebhooks, WebhookError } from '@confab/webhooks';
import { assert, checkMessage, define, isObject, nearJson, same } from '../kit.ts';
import { hexSignature, MESSAGE, referencePayload, SECRET, UNKNOWN } from '../webhooks.ts';

const shared = { secret: SECRET, signature: { header: 'x-sig' }, now: () => 1_769_860_800_000 };

/** The headers of a job; undefined if there are none, or HTTP can't carry them. */
const headersOf = (job: unknown): [string, string][] | undefined => {
  try {
    const { headers } = job as { headers: unknown };
    return isObject(headers) ? [...new Headers(headers as Record<string, string>)] : undefined;
  } catch {
    return undefined;
  }
};

/** Puts data through a receiver with `enqueue`, and returns the job. */
const enqueued = async (data: unknown): Promise<Delivery | undefined> => {
  const jobs: string[] = [];
  const enqueue = async (delivery: Delivery) => void jobs.push(JSON.stringify(delivery));
  const receiver = createWebhooks({ ...shared, deliveryHeaders: ['x-kept'], enqueue });
  const body = Buffer.from(JSON.stringify({ event: 'other', data }));
  const headers = { 'x-sig': hexSignature(body), 'X-Kept': 'yes' };
  const { status } = await receiver.receive({ method: 'POST', headers, body });
  same([status, jobs.length], isObject(data) ? [200, 1] : [400, 0], 'queued');
  return jobs[0] === undefined ? undefined : JSON.parse(jobs[0]);
};

const JOBS = [
  { id: 'msg_1', ...MESSAGE, receivedAt: '2026-01-31T12:00:00.000Z', headers: { 'x-request-id': 'r1' } },
  { id: 'f6d1', ...UNKNOWN, receivedAt: '', headers: {} },
];

export const target = define(
  nearJson(JOBS, ['id', 'event', 'data', 'headers', 'receivedAt', 'message.created', 'x-kept']),
  async (job) => {
    const handled: unknown[] = [];
    const worker = createWebhooks({ ...shared, dedupe: { key: () => undefined } });
    worker.onAny((event, { id, headers }) => void handled.push([event, id, [...headers]]));
    const { id, data } = isObject(job) ? job : {};
    const headers = headersOf(job);
    const isJob = typeof id === 'string' && id !== '' && headers !== undefined;
    const wanted = isJob ? referencePayload(job) : undefined;
    for (let time = 0; time < 2; time += 1) {
      const refusal: unknown = await worker.process(job as Delivery).catch((error: unknown) => error);
      if (wanted === undefined) {
        assert.ok(refusal instanceof WebhookError && refusal.code === 'INVALID_EVENT', String(refusal));
        checkMessage(refusal.message, [SECRET], 1_000);
      } else {
        assert.equal(refusal, undefined, 'the job was refused');
      }
    }
    same(handled, wanted === undefined ? [] : [[wanted, id, headers]], 'handled');
    const written = await enqueued(data);
    if (written !== undefined) {
      same(written.headers, { 'x-kept': 'yes' }, 'kept headers');
      await worker.process(written);
      const event = { event: 'other', data: written.data, known: false };
      same(handled.at(-1), [event, written.id, [['x-kept', 'yes']]], 'handled what was queued');
    }
  },
);
