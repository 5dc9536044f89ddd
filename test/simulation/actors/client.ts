import { getEventListeners } from 'node:events';
import type { ClientOptions } from '@confab/client';
import { ConfabError, createClient, InvalidResponseError } from '@confab/client';
import { sharedRateLimit } from '@confab/client/rate-limit';
import { createMachine } from '../clock/machine.ts';
import type { FleetWindow } from '../invariants/calls.ts';
import { createCallsLedger } from '../invariants/calls.ts';
import { createApiLink } from '../network/api-link.ts';
import type { Conditions } from '../network/conditions.ts';
import { openText } from '../open-work.ts';
import type { CallPlan, ClientPlan, Step } from '../scenario/scenario.ts';
import { CALM_FROM } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';
import { makeCall } from './calls.ts';
import type { Service } from './service.ts';
import type { SharedBudget } from './shared-budget.ts';

type CallStep = Extract<Step, { kind: 'call' }>;

/** A simulated process with a client. */
export interface ClientActor {
  call(step: CallStep): void;
  crash(): void;
  start(): void;
  readonly alive: boolean;
  /** As the trace calls it: `client2`. */
  readonly name: string;
  /** The numbers of the steps whose calls have not settled. */
  readonly open: ReadonlySet<number>;
  /** Checks that nothing is left behind if no call is open any more; called whenever nothing can run. */
  checkIdle(): void;
}

interface ClientContext {
  readonly sim: Sim;
  readonly service: Service;
  readonly conditions: Conditions;
  readonly budget: SharedBudget;
  readonly fleet: FleetWindow;
}

/** Errors that mean that the client itself is wrong: every input of the simulation is valid. */
const UNEXPECTED = /^(?:ConfigurationError|InvalidRequestError)$/;

/** Walks through lists. */
const WALKS: readonly CallPlan['op'][] = ['all', 'job'];

/** Whether a client finds fault with a whole response, of which the service sends only valid ones. A broken one has a cause. */
const blamesService = (error: ConfabError): boolean =>
  error instanceof InvalidResponseError && error.cause === undefined;

/** The error of a call whose `apiKey` function hung. */
const HUNG_KEY = /^The `apiKey` function returned nothing within 30 seconds/;

/** Creates a process with a client of the API. */
export const createClientActor = (
  { sim, service, conditions, budget, fleet }: ClientContext,
  plan: ClientPlan,
  who: number,
): ClientActor => {
  const name = `client${who}`;
  const inFleet = plan.pace.kind === 'fleet';
  const customer = inFleet ? 'fleet' : name;
  const machine = createMachine(sim.timeline, name, plan.skewMs);
  const open = new Set<number>();
  /** Whether calls were made since the last check. */
  let working = false;
  /** The signal of all calls without one of their own. */
  let common = new AbortController();

  const paceOf = (): ClientOptions['rateLimit'] => {
    const { pace } = plan;
    switch (pace.kind) {
      case 'learn':
        return 'learn';
      case 'none':
        return false;
      case 'fixed':
        return { requests: pace.requests, perMs: pace.perMs };
      case 'fleet':
        return sharedRateLimit({ ...sim.scenario.settings.fleet, store: budget.storeFor(machine) });
    }
  };

  const createLedger = () => createCallsLedger(sim, name, plan, inFleet ? fleet : undefined);
  let ledger = createLedger();

  let keys = 0;
  /** Returns the key, at once or after a while, or hangs. */
  const askKey = (): string | Promise<string> => {
    keys += 1;
    const random = sim.random(`${name}/key/${keys}`);
    const key = () => service.keyOf(customer);
    if (sim.elapsed() >= CALM_FROM) {
      return key();
    }
    if (random.chance(plan.keyHangs)) {
      return new Promise<never>(() => {});
    }
    return plan.keyMs > 0 ? machine.work(random.whole(0, plan.keyMs)).then(key) : key();
  };

  const create = () => {
    let callId = 0;
    const link = createApiLink({
      sim,
      conditions,
      machine,
      who,
      ledger,
      callId: () => callId,
      service: service.handle,
    });
    return createClient({
      baseUrl: service.mock.baseUrl,
      apiKey: () => askKey(),
      fetch: link,
      clock: machine.clock,
      timeout: plan.timeout,
      deadline: plan.deadline,
      concurrency: plan.concurrency,
      retry: plan.retry,
      rateLimit: paceOf(),
      logger: { warn: (message) => sim.log(`${name} warns: ${message}`) },
      hooks: {
        onCallStart: (event) => ledger.callStarted(event.callId),
        onCallEnd: (event) => ledger.callEnded(event.callId),
        onRequest: (event) => {
          callId = event.callId;
        },
      },
    });
  };

  let confab = create();

  const settled = ({ id: step, call }: CallStep, error: unknown, signal: AbortSignal): void => {
    open.delete(step);
    const text = error instanceof Error ? error.name : 'success';
    sim.log(`${name}.${step} settles: ${text}`);
    if (error === undefined || (signal.aborted && error === signal.reason)) {
      return;
    }
    if (error instanceof ConfabError && HUNG_KEY.test(error.message)) {
      return;
    }
    if (!(error instanceof ConfabError) || UNEXPECTED.test(error.name)) {
      sim.fail('expected', `${name}.${step} failed with ${String(error)}`);
    } else if (error.name === 'AuthenticationError') {
      sim.fail('rotation', `${name}.${step} failed with ${error.message}`);
    } else if (blamesService(error) && WALKS.includes(call.op)) {
      sim.fail('visits', `${name}.${step} failed with ${error.message}`);
    }
  };

  return {
    call(step) {
      if (!machine.alive) {
        return;
      }
      const { id, call, timeout, abortAfter } = step;
      const controller = abortAfter === undefined ? common : new AbortController();
      const { signal } = controller;
      sim.log(`${name}.${id} calls ${call.op}`);
      open.add(id);
      working = true;
      if (abortAfter !== undefined) {
        machine.after(abortAfter, () => controller.abort(new Error('The caller has left')));
      }
      const done = machine.guard((error: unknown) => settled(step, error, signal));
      const repeats = plan.retry !== false;
      makeCall({
        sim,
        mock: service.mock,
        confab,
        name: `${name}.${id}`,
        id,
        call,
        repeats,
        signal,
        timeout,
      }).then(() => done(undefined), done);
    },
    crash() {
      sim.log(`${name} crashes with ${open.size} calls`);
      machine.crash();
      ledger.crashed();
      open.clear();
    },
    start() {
      machine.start();
      common = new AbortController();
      ledger = createLedger();
      confab = create();
      sim.log(`${name} starts again`);
    },
    get alive() {
      return machine.alive;
    },
    name,
    open,
    checkIdle() {
      if (!working || open.size > 0 || !machine.alive) {
        return;
      }
      working = false;
      const listeners = getEventListeners(common.signal, 'abort').length;
      const { queued, inFlight } = confab.rateLimit;
      // The client of a fleet may still wait for the shared store.
      const timers = inFleet ? 0 : machine.timers;
      if (timers > 0 || listeners > 0 || queued > 0 || inFlight > 0) {
        const left = openText([
          { count: timers, one: 'timer', more: 'timers' },
          { count: listeners, one: 'abort listener', more: 'abort listeners' },
          { count: queued, one: 'queued call', more: 'queued calls' },
          { count: inFlight, one: 'request in flight', more: 'requests in flight' },
        ]);
        sim.fail('settled', `${name} is idle, but has ${left}`);
      }
    },
  };
};
