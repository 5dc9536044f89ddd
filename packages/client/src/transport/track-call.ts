import type { CallEndEvent, CallMessage, CallStartEvent } from '../options/hook-events.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { traceCall } from '../runtime/node.ts';
import type { ReceivedData } from './api-response.ts';

/** What a call has done so far. */
export interface CallProgress extends CallStartEvent {
  attempts: number;
  queuedMs: number;
  waitedMs: number;
}

/** Number of calls of all clients so far. */
let calls = 0;

/**
 * Runs a call, and reports its start and its end. A call whose data cannot be decoded has failed, even though its
 * response can still be read.
 */
export const trackCall = async <T>(
  { clock, report }: Pick<ResolvedClientOptions, 'clock' | 'report'>,
  operation: CallStartEvent['operation'],
  signal: AbortSignal | undefined,
  run: (progress: CallProgress) => Promise<ReceivedData<T>>,
): Promise<ReceivedData<T>> => {
  calls += 1;
  const start = { callId: calls, operation };
  const progress: CallProgress = { ...start, attempts: 0, queuedMs: 0, waitedMs: 0 };
  const startedAt = clock.now();
  let received: ReceivedData<T> | undefined;
  let error: unknown;

  // It never rejects: what it reports is all that a TracingChannel needs.
  const message: CallMessage = { ...progress };
  await traceCall(message, async () => {
    let outcome: CallEndEvent['outcome'] = 'success';
    report.call('onCallStart', start);
    try {
      received = await run(progress);
      await received.data;
    } catch (reason) {
      error = reason;
      outcome = signal?.aborted && error === signal.reason ? 'aborted' : 'error';
    }
    const durationMs = Math.round(clock.now() - startedAt);
    const end: CallEndEvent = { ...progress, outcome, error, durationMs };
    // Subscribers may have added fields of their own to the message.
    Object.assign(message, end);
    report.call('onCallEnd', end);
  });

  if (!received) {
    throw error;
  }
  return received;
};
