import type { SharedBudget } from '../actors/stores.ts';
import type { ClientPlan } from '../settings.ts';
import type { Sim } from '../sim.ts';
import { createWindow } from './window.ts';

/** A request as a client hands it to the network. */
interface Sent {
  readonly callId: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Whether the caller allowed retries of a write. */
  readonly mayRetry: boolean;
}

/** How a request ended for the client. Without a response, there is no status. */
export interface Ending {
  readonly status?: number;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The limit that the API itself reported. */
  readonly limit?: number | undefined;
}

interface Attempt extends Sent {
  endedAt: number | undefined;
  ending: Ending | undefined;
}

interface Call {
  readonly startedAt: number;
  readonly attempts: Attempt[];
  notBefore: number;
}

/** The client pauses for an hour at most, even if a `Retry-After` asks for more. */
const MAX_PAUSE = 3_600_000;

const isOk = ({ ending }: Attempt): boolean => ending?.status === 200;
const isCounted = ({ ending }: Attempt): boolean => ending?.status !== 429;

/** Creates a record of the requests of one life of a client, which checks each of them. */
export const createCallsLedger = (
  sim: Sim,
  name: string,
  plan: ClientPlan,
  fleet: SharedBudget | undefined,
) => {
  const { now } = sim.timeline;
  const calls = new Map<number, Call>();
  const writes = new Map<string, Attempt[]>();
  const window = createWindow(now);
  const inFlight = new Set<Attempt>();
  /** Calls that have not sent anything yet, oldest first. Others may overtake a page that is read ahead. */
  const unsent = new Map<number, { readonly mayYield: boolean }>();
  /** Calls that another one has overtaken, with the time and the message. */
  const overtaken = new Map<number, { readonly at: number; readonly message: string }>();
  let pausedUntil = 0;
  let learned: number | undefined;

  const checkWrite = ({ method, path, body, mayRetry }: Sent, where: string): Attempt[] => {
    const identity = `${method} ${path} ${body}`;
    const earlier = writes.get(identity) ?? [];
    writes.set(identity, earlier);
    const acted = earlier.find(isCounted);
    if (method === 'POST' && !mayRetry && acted !== undefined) {
      sim.fail(
        'write-once',
        `${where} although an earlier attempt got ${acted.ending?.status ?? 'no response'}`,
      );
    }
    return earlier;
  };

  const checkCall = (sent: Sent, call: Call, where: string): void => {
    const { notBefore, startedAt } = call;
    const { retry, totalTimeout } = plan;
    // `leads.ensure` is one call that sends several requests.
    const attempts = call.attempts.filter(({ method, path }) => method === sent.method && path === sent.path);
    const maxRetries = retry === false ? 0 : retry.limit;
    // It searches again if it finds nothing, and each search may be retried.
    const searches = attempts.filter(isOk).length;
    const retries = attempts.slice(attempts.findLastIndex(isOk) + 1).filter(isCounted).length;
    if (Math.max(searches, retries) > maxRetries || (retry === false && attempts.length > 0)) {
      sim.fail('retry-limit', `${where} although at most ${maxRetries} retries are allowed`);
    }
    const early = Math.max(notBefore, pausedUntil) - now();
    if (early > 0) {
      sim.fail('retry-after', `${where} ${early} ms before a Retry-After ended`);
    }
    if (totalTimeout !== false && now() > startedAt + totalTimeout) {
      sim.fail('deadline', `${where} ${now() - startedAt - totalTimeout} ms after its deadline`);
    }
  };

  /**
   * Checks that the calls that were overtaken have ended at the same moment. They had left the queue because of a timeout
   * or an abort, which the caller sees a little later.
   *
   * @param sending The call that sends now.
   */
  const checkOvertaken = (sending?: number): void => {
    for (const [callId, { at, message }] of overtaken) {
      if (callId === sending || at < now()) {
        sim.fail('order', message);
      }
    }
  };

  const checkOrder = ({ callId }: Sent, where: string): void => {
    if (!unsent.delete(callId)) {
      return;
    }
    checkOvertaken(callId);
    // A call that waits for its `apiKey` function holds its place, and others overtake it.
    if (plan.keyHangs > 0 || plan.keyMs > 0) {
      return;
    }
    for (const [other, { mayYield }] of unsent) {
      if (other < callId && !mayYield && !overtaken.has(other)) {
        overtaken.set(other, { at: now(), message: `${where} before a call that was made earlier` });
      }
    }
  };

  /** The limit that the client must keep on its own. */
  const ownLimit = () => {
    const { pace } = plan;
    if (pace === 'learn') {
      // The client does not know the window of the service, but must not assume a shorter one. A call that waits for its
      // key may have got its place before the limit was known.
      const { perMs } = sim.settings.limit;
      return learned === undefined || plan.keyMs > 0 ? undefined : { requests: learned, perMs };
    }
    return pace === 'fleet' ? sim.settings.fleet : pace || undefined;
  };

  const checkWindows = (where: string): void => {
    if (inFlight.size >= plan.concurrency) {
      sim.fail(
        'concurrency',
        `${where} while ${inFlight.size} of ${plan.concurrency} requests were in flight`,
      );
    }
    const own = ownLimit();
    const counted = own === undefined ? 0 : window.count(own.perMs);
    if (own !== undefined && counted >= own.requests) {
      sim.fail('window', `${where} as number ${counted + 1} of ${own.requests} in ${own.perMs} ms`);
    }
    const allowed = fleet?.allowed();
    const together = fleet?.window.count(sim.settings.fleet.perMs) ?? 0;
    if (allowed !== undefined && together >= allowed) {
      sim.fail('window', `${where} as number ${together + 1} of ${allowed} of its fleet`);
    }
  };

  const endAttempt = (attempt: Attempt, ending: Ending): void => {
    attempt.ending = ending;
    attempt.endedAt = now();
    inFlight.delete(attempt);
  };

  return {
    callStarted(callId: number, mayYield: boolean): void {
      calls.set(callId, { startedAt: now(), attempts: [], notBefore: 0 });
      unsent.set(callId, { mayYield });
    },
    callEnded(callId: number): void {
      unsent.delete(callId);
      checkOvertaken();
      overtaken.delete(callId);
      const late =
        now() - (calls.get(callId)?.startedAt ?? now()) - (plan.totalTimeout || Number.POSITIVE_INFINITY);
      if (late > 0) {
        sim.fail('deadline', `A call of ${name} ended ${late} ms late`);
      }
    },
    /** Returns a function that reports how the request has ended. */
    sent(sent: Sent): (ending: Ending) => void {
      const call = calls.get(sent.callId);
      const number = (call?.attempts.length ?? 0) + 1;
      const where = `${name} sent ${sent.method} ${sent.path} (attempt ${number} of its call)`;
      if (call === undefined) {
        sim.fail('expected', `${where} outside a call`);
        return () => {};
      }
      const alike = checkWrite(sent, where);
      checkCall(sent, call, where);
      checkOrder(sent, where);
      checkWindows(where);
      const attempt: Attempt = { ...sent, endedAt: undefined, ending: undefined };
      call.attempts.push(attempt);
      alike.push(attempt);
      window.add(attempt);
      fleet?.window.add(attempt);
      inFlight.add(attempt);
      return (ending) => {
        if (attempt.ending !== undefined) {
          return;
        }
        endAttempt(attempt, ending);
        const { status, retryAfterMs = 0, limit } = ending;
        if (status !== undefined) {
          learned = limit ?? learned;
          call.notBefore = now() + retryAfterMs;
        }
        if (status === 429) {
          pausedUntil = Math.max(pausedUntil, now() + Math.min(retryAfterMs, MAX_PAUSE));
        }
      };
    },
    /** Ends the requests that were in flight when the process crashed. */
    crashed(): void {
      for (const attempt of inFlight) {
        endAttempt(attempt, {});
      }
    },
  };
};

export type CallsLedger = ReturnType<typeof createCallsLedger>;
