/** A receiver or a worker of the BullMQ example in a process of its own, which says how much CPU it took. */
import { startReceiver } from '../../examples/webhooks-bullmq/src/start-receiver.ts';
import { startWorker } from '../../examples/webhooks-bullmq/src/start-worker.ts';
import { SECRET } from './secret.ts';

/** What a part has done so far. */
export interface PartFigures {
  /** The port of a receiver. */
  readonly port: number;
  /** Deliveries that a worker has handled. */
  readonly handled: number;
  /** Milliseconds of CPU. */
  readonly cpuMs: number;
}

const [, , kind = '', redisUrl = ''] = process.argv;
const settings = { redisUrl, secret: SECRET };
let [port, handled] = [0, 0];
if (kind === 'receiver') {
  ({ port } = await startReceiver({ ...settings, port: 0 }));
} else {
  await startWorker({
    ...settings,
    addHandlers: (webhooks) =>
      webhooks.onAny(() => {
        handled += 1;
      }),
  });
}

const tell = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.({ port, handled, cpuMs: (user + system) / 1_000 } satisfies PartFigures);
};
process.on('message', tell);
process.on('disconnect', () => process.exit());
tell();
