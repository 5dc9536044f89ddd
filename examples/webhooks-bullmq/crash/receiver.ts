import { startReceiver } from '../src/start-receiver.ts';
import { stopOnSignal } from '../src/stop-on-signal.ts';
import type { EntryArgument } from './entry.ts';
import { readArgument, reportReady } from './entry.ts';

/** The argument of a receiver. */
export interface ReceiverArgument extends EntryArgument {
  readonly port: number;
}

// The receiver of the example, with shorter waits.
const receiver = await startReceiver({ ...readArgument<ReceiverArgument>(), backoffMs: 200 });
stopOnSignal(receiver.stop);
reportReady(receiver.port);
