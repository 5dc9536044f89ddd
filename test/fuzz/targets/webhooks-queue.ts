import { createWebhooks } from '../../../packages/webhooks/src/create-webhooks.ts';
import { WebhookError } from '../../../packages/webhooks/src/errors.ts';
import type { Delivery } from '../../../packages/webhooks/src/queue.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';
import { referencePayload } from '../reference/event.ts';
import { hexSignature, KEY } from '../reference/hex-signature.ts';

const signature = { header: 'x-sig', encoding: 'hex' } as const;
const NOW = 1_769_860_800_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The headers of a job as `Headers`; undefined if there are none. */
const headersOf = (value: unknown): Headers | undefined => {
  try {
    return isObject(value) ? new Headers(value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
};

/** The event of a job that a worker must run; undefined for a job that it must refuse. */
const referenceJob = (job: unknown): object | undefined =>
  isObject(job) && typeof job.id === 'string' && job.id !== '' && headersOf(job.headers) !== undefined
    ? referencePayload(job)
    : undefined;

/** Puts the data of an input through a receiver with `enqueue`, and returns the job. */
const enqueued = async (data: unknown): Promise<Delivery | undefined> => {
  const jobs: string[] = [];
  const receiver = createWebhooks({
    secret: KEY,
    signature,
    now: () => NOW,
    deliveryHeaders: ['x-kept'],
    enqueue: async (delivery) => void jobs.push(JSON.stringify(delivery)),
  });
  const body = Buffer.from(JSON.stringify({ event: 'other', data }));
  const headers = { 'x-sig': hexSignature(body), 'X-Kept': 'yes' };
  const { status } = await receiver.receive({ method: 'POST', headers, body });
  same([status, jobs.length], [isObject(data) ? 200 : 400, isObject(data) ? 1 : 0], 'queued');
  return jobs[0] === undefined ? undefined : JSON.parse(jobs[0]);
};

/** Each input is a job of a queue as JSON. */
export const target: Target = {
  checks:
    'Jobs of a queue: `process` runs the handlers of exactly the jobs that a reference accepts, once for each id, and refuses the others for good; a job that `enqueue` wrote is one of them',
  maxBytes: 1_500,
  work: (bytes) => 6_000 + 150 * bytes,
  words: ['"id":"', '"headers":{', '"event":"message.created"', '"data":{}', 'receivedAt'],
  run: async (input) => {
    let job: unknown;
    try {
      job = JSON.parse(Buffer.from(input).toString('utf8'));
    } catch {
      return;
    }
    const handled: unknown[] = [];
    const worker = createWebhooks({
      secret: KEY,
      signature,
      dedupe: { key: () => undefined },
      now: () => NOW,
    });
    worker.onAny((event, { id, headers }) => {
      handled.push([event, id, [...headers]]);
    });
    const wanted = referenceJob(job);
    for (let time = 0; time < 2; time += 1) {
      const refusal: unknown = await worker.process(job as Delivery).catch((error: unknown) => error);
      if (wanted === undefined) {
        hold(refusal instanceof WebhookError && refusal.code === 'INVALID_EVENT', `refused with ${refusal}`);
        hold(
          refusal.message.length <= 1_000 && !/\p{Cc}/u.test(refusal.message),
          'the message is not one short line',
        );
      } else {
        same(refusal, undefined, 'the job was refused');
      }
    }
    const { id, headers } = (isObject(job) ? job : {}) as { id?: unknown; headers?: unknown };
    same(handled, wanted === undefined ? [] : [[wanted, id, [...(headersOf(headers) ?? [])]]], 'handled');

    const written = await enqueued(isObject(job) ? job.data : undefined);
    if (written !== undefined) {
      same(written.headers, { 'x-kept': 'yes' }, 'kept headers');
      await worker.process(written);
      same(
        handled.at(-1),
        [{ event: 'other', data: written.data, known: false }, written.id, [['x-kept', 'yes']]],
        'handled',
      );
    }
  },
};
