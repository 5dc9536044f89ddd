import type { OperationId } from '../contract/types/index.ts';
import { TimeoutError } from '../errors/index.ts';

/** @param attempts How often the request was sent: 0 when it never left the queue. */
export const deadlineError = (operation: OperationId, deadline: number, attempts: number): TimeoutError =>
  new TimeoutError(
    `${operation} passed its deadline of ${deadline} ms ${attempts === 0 ? 'in the queue: nothing was sent' : 'after it was sent'}. Queueing and waits count: raise \`deadline\` for bulk work.`,
    { kind: 'deadline', operation, attempts },
  );
