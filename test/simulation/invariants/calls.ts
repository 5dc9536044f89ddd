import type { ClientPlan } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';

/** A request as a client hands it to the network. */
interface Sent {
  readonly callId: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Whether the caller allowed repeats of a write. */
  readonly mayRepeat: boolean;
}

/** How a request ended for the client. */
export type Ending =
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Milliseconds that the service asked to wait. */
      readonly retryAfterMs: number | undefined;
      /** The limit that the API itself reported. */
      readonly limit: number | undefined;
    };

interface Attempt extends Sent {
  endedAt: number | undefined;
  ending: Ending | undefined;
}

interface Call {
  readonly startedAt: number;
  readonly attempts: Attempt[];
  notBefore: number;
}

/** Watches what one client sends, and checks the promises of the client about it. */
export interface CallsLedger {
  callStarted(callId: number): void;
  callEnded(callId: number): void;
  /** Returns a function that reports how the request has ended. */
  sent(sent: Sent): (ending: Ending) => void;
  /** Ends what was in flight when the process crashed. */
  crashed(): void;
}

/** A pause after a `Retry-After` that is too long to wait out ends after an hour. */
const LONGEST_PAUSE = 3_600_000;

/** The requests that the service may count now: those in flight, and those that ended within the window. */
export const createWindow = (now: () => number) => {
  const attempts = new Set<{ endedAt: number | undefined; ending: Ending | undefined }>();
  return {
    add: (attempt: { endedAt: number | undefined; ending: Ending | undefined }) => void attempts.add(attempt),
    count(perMs: number): number {
      let counted = 0;
      for (const attempt of attempts) {
        const { ending, endedAt } = attempt;
        const refused = ending?.kind === 'response' && ending.status === 429;
        if (endedAt !== undefined && (refused || endedAt + perMs <= now())) {
          // The window may be as long as a minute, so nothing younger is dropped.
          if (refused || endedAt + 60_000 <= now()) {
            attempts.delete(attempt);
          }
          continue;
        }
        counted += 1;
      }
      return counted;
    },
  };
};

type Window = ReturnType<typeof createWindow>;

/** The window that the clients of a fleet share, and how many requests it may hold; `undefined` once nothing is promised. */
export interface FleetWindow {
  readonly window: Window;
  allowed(): number | undefined;
  readonly perMs: number;
}

/** Creates the ledger of one life of a client. */
export const createCallsLedger = (
  sim: Sim,
  name: string,
  plan: ClientPlan,
  fleet: FleetWindow | undefined,
): CallsLedger => {
  const now = () => sim.timeline.now();
  const calls = new Map<number, Call>();
  const writes = new Map<string, Attempt[]>();
  const window = createWindow(now);
  const inFlight = new Set<Attempt>();
  /** Calls that have not sent anything yet, oldest first. */
  const unsent = new Set<number>();
  /** Calls that another one has overtaken, with the time and the message. */
  const overtaken = new Map<number, { readonly at: number; readonly message: string }>();
  let pausedUntil = 0;
  let learned: number | undefined;

  const where = ({ method, path, callId }: Sent): string =>
    `${name} sent ${method} ${path} (attempt ${(calls.get(callId)?.attempts.length ?? 0) + 1} of its call)`;

  const checkWrite = (sent: Sent): void => {
    if (sent.method !== 'POST' || sent.mayRepeat) {
      return;
    }
    const identity = `${sent.path} ${sent.body}`;
    const earlier = writes.get(identity) ?? [];
    const acted = earlier.find(({ ending }) => ending?.kind !== 'response' || ending.status !== 429);
    if (acted !== undefined) {
      const how = acted.ending?.kind === 'response' ? `got ${acted.ending.status}` : 'got no response';
      sim.fail('write-once', `${where(sent)} although an earlier attempt ${how}`);
    }
  };

  const checkCall = (sent: Sent, call: Call): void => {
    const { retry, deadline } = plan;
    // `leads.ensure` is one call that sends several requests.
    const attempts = call.attempts.filter(({ method, path }) => method === sent.method && path === sent.path);
    const counted = attempts.filter(({ ending }) => ending?.kind !== 'response' || ending.status !== 429);
    const most = retry === false ? 0 : retry.limit;
    if (counted.length > most || (retry === false && attempts.length > 0)) {
      sim.fail('retry-limit', `${where(sent)} although at most ${most} repeats are allowed`);
    }
    if (now() < Math.max(call.notBefore, pausedUntil)) {
      sim.fail(
        'retry-after',
        `${where(sent)} ${Math.max(call.notBefore, pausedUntil) - now()} ms before a Retry-After ended`,
      );
    }
    if (deadline !== false && now() > call.startedAt + deadline) {
      sim.fail('deadline', `${where(sent)} ${now() - call.startedAt - deadline} ms after its deadline`);
    }
  };

  /**
   * Checks that the calls which were overtaken have ended in the same moment: they had left the queue when their time
   * was up or their caller gave up, which the caller sees a little later.
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

  const checkOrder = (sent: Sent): void => {
    if (!unsent.delete(sent.callId)) {
      return;
    }
    checkOvertaken(sent.callId);
    // A call that waits for its `apiKey` function holds its place, and others overtake it.
    if (plan.keyHangs > 0 || plan.keyMs > 0) {
      return;
    }
    for (const callId of unsent) {
      if (callId < sent.callId && !overtaken.has(callId)) {
        overtaken.set(callId, { at: now(), message: `${where(sent)} before a call that was made earlier` });
      }
    }
  };

  const checkWindows = (sent: Sent): void => {
    const { pace, concurrency } = plan;
    if (inFlight.size >= concurrency) {
      sim.fail(
        'concurrency',
        `${where(sent)} while ${inFlight.size} of ${concurrency} requests were in flight`,
      );
    }
    const own =
      pace.kind === 'fixed'
        ? pace
        : // The client knows no window of the service, but must not go by a shorter one. A call that waits for its key may
          // have got its place before the limit was known.
          pace.kind === 'learn' && learned !== undefined && plan.keyMs === 0
          ? { requests: learned, perMs: sim.scenario.settings.limit.perMs }
          : pace.kind === 'fleet'
            ? sim.scenario.settings.fleet
            : undefined;
    const counted = own === undefined ? 0 : window.count(own.perMs);
    if (own !== undefined && counted >= own.requests) {
      sim.fail('window', `${where(sent)} as number ${counted + 1} of ${own.requests} in ${own.perMs} ms`);
    }
    const allowed = fleet?.allowed();
    const together = fleet?.window.count(fleet.perMs) ?? 0;
    if (allowed !== undefined && together >= allowed) {
      sim.fail('window', `${where(sent)} as number ${together + 1} of ${allowed} of its fleet`);
    }
  };

  const applyResponse = (call: Call, ending: Extract<Ending, { kind: 'response' }>): void => {
    const { status, retryAfterMs = 0, limit } = ending;
    learned = limit ?? learned;
    call.notBefore = now() + retryAfterMs;
    if (status === 429) {
      pausedUntil = Math.max(pausedUntil, now() + Math.min(retryAfterMs, LONGEST_PAUSE));
    }
  };

  const endAttempt = (attempt: Attempt, ending: Ending): void => {
    attempt.ending = ending;
    attempt.endedAt = now();
    inFlight.delete(attempt);
  };

  return {
    callStarted(callId) {
      calls.set(callId, { startedAt: now(), attempts: [], notBefore: 0 });
      unsent.add(callId);
    },
    callEnded(callId) {
      const call = calls.get(callId);
      unsent.delete(callId);
      checkOvertaken();
      overtaken.delete(callId);
      if (call !== undefined && plan.deadline !== false && now() > call.startedAt + plan.deadline) {
        sim.fail('deadline', `A call of ${name} ended ${now() - call.startedAt - plan.deadline} ms late`);
      }
    },
    sent(sent) {
      const call = calls.get(sent.callId);
      if (call === undefined) {
        sim.fail('expected', `${where(sent)} outside a call`);
        return () => {};
      }
      checkWrite(sent);
      checkCall(sent, call);
      checkOrder(sent);
      checkWindows(sent);
      const attempt: Attempt = { ...sent, endedAt: undefined, ending: undefined };
      call.attempts.push(attempt);
      const identity = `${sent.path} ${sent.body}`;
      writes.set(identity, [...(writes.get(identity) ?? []), attempt]);
      window.add(attempt);
      fleet?.window.add(attempt);
      inFlight.add(attempt);
      return (ending) => {
        if (attempt.ending !== undefined) {
          return;
        }
        endAttempt(attempt, ending);
        if (ending.kind === 'response') {
          applyResponse(call, ending);
        }
      };
    },
    crashed() {
      for (const attempt of inFlight) {
        endAttempt(attempt, { kind: 'failed' });
      }
    },
  };
};
