import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import type { ClientOptions, Confab } from '@confab/client';
import { ConfabError, createClient, InvalidResponseError } from '@confab/client';
import { createSharedRateLimit } from '../../../packages/client/src/redis/shared-window.ts';
import { createMachine } from '../clock/machine.ts';
import type { CallsLedger } from '../invariants/calls.ts';
import { createCallsLedger } from '../invariants/calls.ts';
import { createApiLink, MAY_RETRY_HEADER, STEP_HEADER } from '../network/api-link.ts';
import type { Conditions } from '../network/conditions.ts';
import { openText } from '../open-work.ts';
import type { ClientPlan } from '../settings.ts';
import type { Sim } from '../sim.ts';
import type { CallPlan } from './calls.ts';
import { makeCall } from './calls.ts';
import type { Service } from './service.ts';
import type { SharedBudget } from './stores.ts';

interface Surroundings {
  readonly service: Service;
  readonly conditions: Conditions;
  readonly budget: SharedBudget;
}

/** A call of a step, with what its caller decides. */
export interface PlannedCall {
  readonly plan: CallPlan;
  readonly timeout?: number | undefined;
  /** Milliseconds after which the caller leaves. */
  readonly abortAfter?: number | undefined;
}

/** The error of a call whose `apiKey` function hung. */
const HUNG_KEY = /^The `apiKey` function has not returned within 30 seconds/;

/** Fails the run if a call must not fail with this error. Every input of the simulation is valid. */
const checkError = (sim: Sim, name: string, { op }: CallPlan, error: unknown): void => {
  if (error instanceof ConfabError && HUNG_KEY.test(error.message)) {
    return;
  }
  if (!(error instanceof ConfabError) || /^(?:Configuration|InvalidRequest)Error$/.test(error.name)) {
    sim.fail('expected', `${name} failed with ${String(error)}`);
  } else if (error.name === 'AuthenticationError') {
    sim.fail('rotation', `${name} failed with ${error.message}`);
  } else if (error instanceof InvalidResponseError && error.cause === undefined && /^(?:all|job)$/.test(op)) {
    // The service sends only valid responses; an error about a broken one has a cause.
    sim.fail('visits', `${name} failed with ${error.message}`);
  }
};

/** The list that is being read as a whole, if any: its first page is a direct call, and the others are read ahead. */
const lists = new AsyncLocalStorage<{ readsAhead: boolean } | undefined>();

/** Creates a process with a client of the API. */
export const createClientActor = (
  sim: Sim,
  { service, conditions, budget }: Surroundings,
  plan: ClientPlan,
  who: number,
) => {
  const name = `client${who}`;
  const inFleet = plan.pace === 'fleet';
  const machine = createMachine(sim.timeline, name, plan.skewMs);
  /** The numbers of the steps whose calls have not settled. */
  const open = new Set<number>();
  /** Whether calls were made since the last check. */
  let working = false;
  /** The signal of all calls without one of their own. */
  let common: AbortController;
  let ledger: CallsLedger;
  let confab: Confab;
  let keys = 0;

  /** Returns the key at once or after a while, or never. */
  const apiKey = (): string | Promise<string> => {
    keys += 1;
    const random = sim.random(`${name}/key/${keys}`);
    const key = () => service.keyOf(inFleet ? 'fleet' : name);
    if (!sim.isCalm() && random.chance(plan.keyHangs)) {
      return new Promise<never>(() => {});
    }
    return sim.isCalm() || plan.keyMs === 0 ? key() : machine.work(random.integer(0, plan.keyMs)).then(key);
  };

  const rateLimit = (): ClientOptions['rateLimit'] =>
    plan.pace === 'fleet'
      ? createSharedRateLimit({ ...sim.settings.fleet, store: budget.storeFor(machine) })
      : plan.pace;

  /** Begins a life of the process, with a new client. */
  const begin = (): void => {
    common = new AbortController();
    ledger = createCallsLedger(sim, name, plan, inFleet ? budget : undefined);
    const { callStarted, callEnded } = ledger;
    let sending = 0;
    const link = { sim, conditions, machine, who, ledger, callId: () => sending, service: service.handle };
    const options: ClientOptions = {
      baseUrl: service.mock.baseUrl,
      apiKey,
      fetch: createApiLink(link),
      clock: machine.clock,
      timeout: plan.timeout,
      totalTimeout: plan.totalTimeout,
      concurrency: plan.concurrency,
      retry: plan.retry,
      rateLimit: rateLimit(),
      logger: { warn: (message) => sim.log(`${name} warns: ${message}`) },
      hooks: {
        onCallStart: ({ callId }) => {
          const list = lists.getStore();
          callStarted(callId, list?.readsAhead ?? false);
          if (list) {
            list.readsAhead = true;
          }
        },
        onCallEnd: ({ callId }) => callEnded(callId),
        onRequest: ({ callId }) => {
          sending = callId;
        },
      },
    };
    confab = createClient(sim.fault.client?.(options) ?? options);
  };
  begin();

  return {
    name,
    open,
    call(step: number, { plan: call, timeout, abortAfter }: PlannedCall): void {
      if (!machine.alive) {
        return;
      }
      const fullName = `${name}.${step}`;
      sim.log(`${fullName} calls ${call.op}`);
      open.add(step);
      working = true;
      const controller = abortAfter === undefined ? common : new AbortController();
      const { signal } = controller;
      if (abortAfter !== undefined) {
        machine.after(abortAfter, () => controller.abort(new Error('The caller has left')));
      }
      const nonIdempotent = plan.retry !== false && call.nonIdempotent;
      const options = {
        signal,
        timeout,
        headers: {
          [STEP_HEADER]: String(step),
          [MAY_RETRY_HEADER]: nonIdempotent || call.op === 'ensure' ? '1' : '0',
        },
        ...(nonIdempotent ? { retry: { nonIdempotent } } : {}),
      };
      const settled = machine.guard((error: unknown) => {
        open.delete(step);
        sim.log(`${fullName} settles: ${error instanceof Error ? error.name : 'success'}`);
        if (error !== undefined && !(signal.aborted && error === signal.reason)) {
          checkError(sim, fullName, call, error);
        }
      });
      lists
        .run(call.op === 'all' ? { readsAhead: false } : undefined, () =>
          makeCall(sim, service.mock, confab, options, { name: fullName, step, plan: call }),
        )
        .then(() => settled(undefined), settled);
    },
    crash(until: number): void {
      if (!machine.alive) {
        return;
      }
      sim.log(`${name} crashes with ${open.size} calls`);
      machine.crash();
      ledger.crashed();
      open.clear();
      sim.at(until, () => {
        machine.start();
        begin();
        sim.log(`${name} starts again`);
      });
    },
    /** Checks that an idle client has no open work. Call it whenever nothing can run. */
    checkIdle(): void {
      if (!working || open.size > 0 || !machine.alive) {
        return;
      }
      working = false;
      const { queued, inFlight } = confab.rateLimit;
      const left = openText({
        // The client of a fleet may still wait for the shared store.
        timers: inFleet ? 0 : machine.timers,
        'abort listeners': getEventListeners(common.signal, 'abort').length,
        'queued calls': queued,
        'requests in flight': inFlight,
      });
      if (left !== '') {
        sim.fail('settled', `${name} is idle, but has open work: ${left}`);
      }
    },
  };
};
