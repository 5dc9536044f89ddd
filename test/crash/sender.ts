import { setTimeout as sleep } from 'node:timers/promises';
import { signedRequest } from '@confab/webhooks';
import { DELIVERY_ID, signature } from '../src/options.ts';
import type { SampleDelivery } from './deliveries.ts';
import type { Random } from './random.ts';

/** What a sender has done so far. */
interface SenderCounts {
  /** Requests, repeated ones included. */
  requests: number;
  /** Requests without a 2xx response, which were sent again. */
  repeated: number;
  /** Deliveries that were accepted. */
  accepted: number;
  /** Deliveries that were sent once more after they had been accepted. */
  duplicates: number;
}

/** A sender as the real service has one: it delivers until it gets a 2xx response, and sometimes once more. */
export interface Sender {
  readonly counts: Readonly<SenderCounts>;
  /** Sends deliveries, and the duplicates that are due. Resolves once all are accepted. */
  send(deliveries: readonly SampleDelivery[]): Promise<void>;
  /** Sends the duplicates that are left. */
  sendRest(): Promise<void>;
}

/** The most requests at a time. */
const CONCURRENCY = 16;

/** Milliseconds after which the sender gives up waiting for a response. */
const TIMEOUT_MS = 3_000;

/** Creates a sender that signs its deliveries. */
export const createSender = (url: string, secret: string, random: Random): Sender => {
  const counts: SenderCounts = { requests: 0, repeated: 0, accepted: 0, duplicates: 0 };
  let due: SampleDelivery[] = [];

  const attempt = async ({ id, body }: SampleDelivery): Promise<boolean> => {
    const data = { conversationId: 'c1', channel: 'web', body };
    const event = { event: 'message.created', data };
    const request = await signedRequest(url, event, { secret, signature });
    request.headers.set(DELIVERY_ID, id);
    counts.requests += 1;
    let status: number;
    try {
      ({ status } = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
    } catch {
      return false;
    }
    if (status >= 400 && status < 500) {
      throw new Error(`The receiver refused the genuine delivery ${id} with ${status}.`);
    }
    return status < 300;
  };

  const deliver = async (delivery: SampleDelivery): Promise<void> => {
    while (!(await attempt(delivery))) {
      counts.repeated += 1;
      await sleep(50 + random.below(250));
    }
  };

  const sendAll = async (jobs: (() => Promise<void>)[]): Promise<void> => {
    const next = async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        await job();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, next));
  };
  const original = (delivery: SampleDelivery) => async () => {
    await deliver(delivery);
    counts.accepted += 1;
  };
  const duplicate = (delivery: SampleDelivery) => async () => {
    await deliver(delivery);
    counts.duplicates += 1;
  };

  return {
    counts,
    async send(deliveries) {
      const twice = deliveries.filter((delivery) => delivery.duplicate);
      // Half of the duplicates follow at once. The others come with the next deliveries, when their originals are handled.
      const atOnce = twice.filter(() => random.fraction() < 0.5);
      const jobs = [...deliveries.map(original), ...[...due, ...atOnce].map(duplicate)];
      due = twice.filter((delivery) => !atOnce.includes(delivery));
      await sendAll(jobs);
    },
    sendRest: () => sendAll(due.map(duplicate)),
  };
};
