import type { Delivery } from '@confab/webhooks';
import { createMachine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import { broken, sendHalf } from '../network/connection.ts';
import type { Posted } from '../network/hook-link.ts';
import type { Sim } from '../sim.ts';
import { createQueue } from './queue.ts';
import { createReceiving } from './receiving.ts';
import type { SharedDedupe } from './stores.ts';

const URL = 'https://receiver.test/webhooks';

/** Milliseconds between the deployments of two receivers. */
const ROLLING = 700;

/** Creates the processes that receive deliveries behind one address, and the workers of their queue. */
export const createReceivers = (
  sim: Sim,
  ledger: DeliveriesLedger,
  dedupe: SharedDedupe,
  firstSecret: string,
) => {
  const { mode, skewMs, receivers: count } = sim.settings.hooks;
  let secrets: readonly string[] = [firstSecret];

  const createProcess = (name: string, add?: typeof queue.add) => {
    const machine = createMachine(sim.timeline, name, skewMs);
    const enqueue = add && ((delivery: Delivery) => add(machine, delivery));
    const create = () => createReceiving(sim, ledger, machine, secrets, dedupe.storeFor(machine), enqueue);
    let webhooks = create();
    return {
      machine,
      /** Functions that break its connections. */
      connections: new Set<() => void>(),
      receive: (request: Request) => webhooks.fetch(request),
      process: (delivery: Delivery) => webhooks.process(delivery),
      /** Replaces its receiver by one with the current secrets. */
      deploy: () => {
        webhooks = create();
      },
    };
  };
  const workers = (mode === 'queue' ? ['worker0', 'worker1'] : []).map((name) => createProcess(name));
  const queue: ReturnType<typeof createQueue> = createQueue(sim, workers);
  const receivers = Array.from({ length: count }, (_, index) =>
    createProcess(`receiver${index}`, mode === 'queue' ? queue.add : undefined),
  );

  return {
    count,
    /** Posts a delivery to a receiver. The promise rejects when the connection breaks. */
    async post(which: number, { headers, body, truncated = false }: Posted): Promise<Response> {
      const { machine, connections, receive } = receivers[which % count] as (typeof receivers)[number];
      if (!machine.alive) {
        throw broken('refused');
      }
      const parts = truncated ? sendHalf(body) : undefined;
      const init = { method: 'POST', headers: [...headers], body: parts?.stream ?? body, duplex: 'half' };
      const request = new Request(URL, init);
      if (parts !== undefined) {
        sim.after(20, () => parts.fail(broken('terminated')));
      }
      return new Promise((resolve, reject) => {
        const reset = () => reject(broken('reset'));
        connections.add(reset);
        const respond = machine.guard((response: Response) => {
          connections.delete(reset);
          resolve(response);
        });
        receive(request).then(respond, (error: unknown) => {
          sim.fail('expected', `${machine.name} rejected a request: ${String(error)}`);
        });
      });
    },
    /** Deploys new secrets, one process after the other. */
    deploy(next: readonly string[]): void {
      secrets = next;
      for (const [index, { machine, deploy }] of receivers.entries()) {
        sim.after(index * ROLLING, () => {
          sim.log(`${machine.name} accepts ${secrets.length} secrets`);
          deploy();
        });
      }
    },
    crash(kind: 'receiver' | 'worker', which: number, until: number): void {
      const all = kind === 'receiver' ? receivers : workers;
      const { machine, connections, deploy } = all[which % all.length] ?? {};
      if (!machine?.alive) {
        return;
      }
      sim.log(`${machine.name} crashes`);
      machine.crash();
      ledger.crashed({ machine: machine.name, life: machine.life });
      for (const reset of connections ?? []) {
        reset();
      }
      connections?.clear();
      sim.at(until, () => {
        sim.log(`${machine.name} starts again`);
        machine.start();
        deploy?.();
      });
    },
    /** The number of jobs in the queue. */
    get jobs() {
      return queue.jobs;
    },
    /** The number of requests in progress. */
    get busy() {
      return receivers.reduce((sum, { connections }) => sum + connections.size, 0);
    },
  };
};

export type Receivers = ReturnType<typeof createReceivers>;
