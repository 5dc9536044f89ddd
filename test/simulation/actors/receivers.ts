import type { Machine } from '../clock/machine.ts';
import { createMachine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import { broken, sendHalf } from '../network/connection.ts';
import type { Sim } from '../sim.ts';
import type { SharedDedupe } from './dedupe.ts';
import type { Queue } from './queue.ts';
import { createQueue } from './queue.ts';
import { createReceiving } from './receiving.ts';

/** A delivery on its way to a receiver. */
export interface Posted {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the connection breaks in the middle of the body. */
  readonly truncated: boolean;
}

/** Processes that receive deliveries behind one address. */
export interface Receivers {
  readonly count: number;
  /** Posts a delivery to one of them. The promise rejects when the connection breaks. */
  post(which: number, posted: Posted): Promise<Response>;
  /** Deploys other secrets, one process after the other. */
  deploy(secrets: readonly string[]): void;
  crash(kind: 'receiver' | 'worker', which: number): () => void;
  /** The number of jobs in the queue. */
  readonly jobs: number;
  /** The number of requests under way. */
  readonly busy: number;
}

const URL = 'https://receiver.test/webhooks';

/** Milliseconds between the deployments of two receivers. */
const ROLLING = 700;

interface Receiver {
  readonly machine: Machine;
  receive(request: Request): Promise<Response>;
  /** Creates the receiver of the process anew. */
  start(secrets: readonly string[]): void;
}

/** Creates the receivers of a scenario, and the workers of their queue. */
export const createReceivers = (
  sim: Sim,
  ledger: DeliveriesLedger,
  dedupe: SharedDedupe,
  initial: readonly string[],
): Receivers => {
  const { hooks } = sim.scenario.settings;
  let secrets = initial;
  /** Breaks the connections of a process. */
  const connections = new Map<Machine, Set<() => void>>();

  const workers = (hooks.mode === 'queue' ? ['worker0', 'worker1'] : []).map((name) => {
    const machine = createMachine(sim.timeline, name, hooks.skewMs);
    const create = () => createReceiving({ sim, ledger, machine, secrets, store: dedupe.storeFor(machine) });
    let webhooks = create();
    return {
      machine,
      process: (delivery: Parameters<typeof webhooks.process>[0]) => webhooks.process(delivery),
      start: () => {
        webhooks = create();
      },
    };
  });
  const queue: Queue = createQueue(sim, workers);

  const createReceiver = (name: string): Receiver => {
    const machine = createMachine(sim.timeline, name, hooks.skewMs);
    const create = (own: readonly string[]) =>
      createReceiving({
        sim,
        ledger,
        machine,
        secrets: own,
        store: dedupe.storeFor(machine),
        enqueue: hooks.mode === 'queue' ? (delivery) => queue.add(machine, delivery) : undefined,
      });
    let webhooks = create(initial);
    connections.set(machine, new Set());
    return {
      machine,
      receive: (request) => webhooks.fetch(request),
      start: (own) => {
        webhooks = create(own);
      },
    };
  };
  const receivers = Array.from({ length: hooks.receivers }, (_, at) => createReceiver(`receiver${at}`));

  const receiverAt = (which: number): Receiver => receivers[which % receivers.length] as Receiver;

  return {
    count: receivers.length,
    async post(which, { headers, body, truncated }) {
      const receiver = receiverAt(which);
      const { machine } = receiver;
      if (!machine.alive) {
        throw broken('refused');
      }
      const parts = truncated ? sendHalf(body) : undefined;
      const request = new Request(URL, {
        method: 'POST',
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: parts?.stream ?? body,
        ...{ duplex: 'half' },
      });
      if (parts !== undefined) {
        sim.timeline.after(20, 'event', () => parts.fail(broken('terminated')));
      }
      const open = connections.get(machine);
      return new Promise((resolve, reject) => {
        const reset = () => reject(broken('reset'));
        open?.add(reset);
        const respond = machine.guard((response: Response) => {
          open?.delete(reset);
          resolve(response);
        });
        receiver.receive(request).then(respond, (error: unknown) => {
          sim.fail('expected', `${machine.name} rejected a request: ${String(error)}`);
        });
      });
    },
    deploy(next) {
      secrets = next;
      for (const [at, receiver] of receivers.entries()) {
        sim.timeline.after(at * ROLLING, 'event', () => {
          sim.log(`${receiver.machine.name} accepts ${secrets.length} secrets`);
          receiver.start(secrets);
        });
      }
    },
    crash(kind, which) {
      const all: readonly { readonly machine: Machine; start(own: readonly string[]): void }[] =
        kind === 'receiver' ? receivers : workers;
      const victim = all[which % Math.max(1, all.length)];
      if (victim === undefined || !victim.machine.alive) {
        return () => {};
      }
      const { machine } = victim;
      sim.log(`${machine.name} crashes`);
      machine.crash();
      ledger.crashed(machine.name, machine.life);
      for (const reset of connections.get(machine) ?? []) {
        reset();
      }
      connections.get(machine)?.clear();
      return () => {
        sim.log(`${machine.name} starts again`);
        machine.start();
        victim.start(secrets);
      };
    },
    get jobs() {
      return queue.jobs;
    },
    get busy() {
      return [...connections.values()].reduce((sum, open) => sum + open.size, 0);
    },
  };
};
