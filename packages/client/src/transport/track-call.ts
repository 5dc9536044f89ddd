import type { OperationName } from '../contract/types/index.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { traceCall } from '../runtime/node.ts';
import type { ReceivedData } from './api-response.ts';

/** What a call has done so far. It is also the message on the TracingChannel. */
export interface CallProgress {
  readonly callId: number;
  readonly operation: OperationName;
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
  operation: OperationName,
  signal: AbortSignal | undefined,
  run: (progress: CallProgress) => Promise<ReceivedData<T>>,
): Promise<ReceivedData<T>> => {
  calls += 1;
  const start = { callId: calls, operation };
  const progress = { ...start, attempts: 0, queuedMs: 0, waitedMs: 0 };
  const startedAt = clock.now();
  let received: ReceivedData<T> | undefined;

  const call = async (): Promise<void> => {
    let error: unknown;
    let outcome: 'success' | 'error' | 'aborted' = 'success';
    report.callStart(start);
    try {
      received = await run(progress);
      await received.data;
    } catch (reason) {
      error = reason;
      outcome = signal?.aborted && error === signal.reason ? 'aborted' : 'error';
      throw error;
    } finally {
      const durationMs = Math.round(clock.now() - startedAt);
      report.callEnd({ ...Object.assign(progress, { outcome, error, durationMs }) });
    }
  };

  try {
    await traceCall(progress, call);
  } catch (error) {
    if (!received) {
      throw error;
    }
  }
  return received as ReceivedData<T>;
};
