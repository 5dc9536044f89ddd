import type { Fetch } from '@confab/client';
import type { Machine } from '../clock/machine.ts';
import type { CallsLedger, Ending } from '../invariants/calls.ts';
import type { Sim } from '../sim.ts';
import type { Conditions } from './conditions.ts';
import type { PlainResponse } from './connection.ts';
import { broken, fateText, SPLIT_MS, sendHalf } from './connection.ts';
import type { Fate } from './fate.ts';

/** Headers that tell the network which step a request belongs to, and whether its caller allowed repeats. */
export const STEP_HEADER = 'x-step';
export const REPEAT_HEADER = 'x-may-repeat';

/** The milliseconds that a `Retry-After` means, on responses whose header is hard to read. */
export const TRUE_WAIT_HEADER = 'x-true-wait-ms';

/** What the network needs to know about a client. */
export interface ApiLinkOptions {
  readonly sim: Sim;
  readonly conditions: Conditions;
  readonly machine: Machine;
  readonly who: number;
  readonly ledger: CallsLedger;
  /** Returns the number of the call that is sending right now. */
  readonly callId: () => number;
  /** The service. */
  readonly service: (url: string, init: RequestInit) => Promise<PlainResponse>;
}

interface Exchange {
  readonly name: string;
  readonly fate: Fate;
  readonly end: (ending: Ending) => void;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  readonly signal: AbortSignal;
  /** Does something unless the process has crashed since it sent the request, even if it has started again. */
  readonly inSameLife: (run: () => void) => void;
}

const numberIn = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name);
  return value === null ? undefined : Number(value);
};

/** What a response tells the client about its rate limit; a proxy's page tells it nothing. */
const endingOf = ({ status, headers, body }: PlainResponse, whole: boolean): Ending => {
  const seconds = numberIn(headers, 'retry-after');
  const own = whole && headers.has('x-ratelimit-limit') && body.startsWith('{"success"');
  return {
    kind: 'response',
    status,
    retryAfterMs:
      numberIn(headers, TRUE_WAIT_HEADER) ?? (seconds === undefined ? undefined : seconds * 1_000),
    limit: own ? numberIn(headers, 'x-ratelimit-limit') : undefined,
  };
};

/** Creates the `fetch` of a client: everything that it sends passes through the simulated network. */
export const createApiLink = (options: ApiLinkOptions): Fetch => {
  const { sim, conditions, machine, who, ledger, callId, service } = options;
  const exchanges = new Map<string, number>();

  /** Hands a response to the client as the fate says. */
  const receive = (plain: PlainResponse, exchange: Exchange): void => {
    const { name, fate, end, resolve, signal } = exchange;
    const init = { status: plain.status, headers: plain.headers };
    if (fate.response === 'arrives') {
      sim.log(`${name} ${plain.status}`);
      end(endingOf(plain, true));
      resolve(new Response(plain.body, init));
      return;
    }
    const parts = sendHalf(plain.body);
    sim.log(`${name} ${plain.status}, first half`);
    const settle = (how: () => void, ending: Ending) => {
      signal.removeEventListener('abort', onAbort);
      end(ending);
      how();
    };
    // The client goes by the status of an error, even if its body breaks off.
    const cut = plain.status >= 300 ? endingOf(plain, false) : ({ kind: 'failed' } as const);
    // A client whose caller has left need not wait for the end of a `Retry-After` that came with half a body.
    const left = cut.kind === 'response' ? { ...cut, retryAfterMs: undefined } : cut;
    const onAbort = () => settle(() => parts.fail(signal.reason), left);
    signal.addEventListener('abort', onAbort, { once: true });
    if (fate.response !== 'stalled') {
      machine.after(SPLIT_MS, () => {
        if (signal.aborted) {
          return;
        }
        sim.log(`${name} second half ${fate.response === 'split' ? 'arrives' : 'is lost'}`);
        if (fate.response === 'split') {
          settle(() => parts.finish(), endingOf(plain, true));
        } else {
          settle(() => parts.fail(broken('terminated')), cut);
        }
      });
    }
    resolve(new Response(parts.stream, init));
  };

  /** Lets a request reach the service, and its response the client. */
  const travel = async (url: string, init: RequestInit, exchange: Exchange): Promise<void> => {
    const { name, fate, end, reject, signal, inSameLife } = exchange;
    const plain = await service(url, init);
    sim.log(`${name} is served with ${plain.status}`);
    if (fate.response === 'lost') {
      return;
    }
    const arrive = () => {
      if (signal.aborted) {
        return;
      }
      if (fate.response === 'reset') {
        sim.log(`${name} connection reset`);
        end({ kind: 'failed' });
        reject(broken('reset'));
      } else {
        receive(plain, exchange);
      }
    };
    sim.timeline.after(fate.backMs, 'event', () => inSameLife(arrive));
  };

  /** Sends a request towards the service. What has left the client arrives even if the client gives up or crashes. */
  const send = (url: string, init: RequestInit, exchange: Exchange): void => {
    const { fate, name, end, reject, signal } = exchange;
    if (fate.request === 'reset') {
      machine.after(fate.outMs, () => {
        if (!signal.aborted) {
          sim.log(`${name} connection refused`);
          end({ kind: 'failed' });
          reject(broken('refused'));
        }
      });
      return;
    }
    // A service does not act on a request whose end never arrives.
    if (fate.request !== 'arrives') {
      return;
    }
    const failed = (error: unknown) =>
      sim.fail('expected', `${name} failed in the service: ${String(error)}`);
    sim.timeline.after(fate.outMs, 'event', () => void travel(url, init, exchange).catch(failed));
    if (fate.duplicateMs !== undefined) {
      sim.timeline.after(fate.outMs + fate.duplicateMs, 'event', () => {
        sim.log(`${name} arrives again`);
        service(url, init).catch(failed);
      });
    }
  };

  return (url, init) =>
    new Promise<Response>((resolve, reject) => {
      const headers = new Headers(init.headers);
      const { method = 'GET' } = init;
      const signal = init.signal as AbortSignal;
      const step = headers.get(STEP_HEADER) ?? 'none';
      const path = url.slice(url.indexOf('/api/'));
      const name = `${machine.name}.${step}.${exchanges.get(step) ?? 0}`;
      exchanges.set(step, (exchanges.get(step) ?? 0) + 1);
      const fate = conditions.fateOf('api', who, `${machine.life}/${name}`);
      sim.log(`${name} sends ${method} ${path}${fateText(fate)}`);
      const end = ledger.sent({
        callId: callId(),
        method,
        path,
        body: typeof init.body === 'string' ? init.body : '',
        mayRepeat: headers.get(REPEAT_HEADER) === '1',
      });
      const onAbort = () => {
        sim.log(`${name} is aborted`);
        end({ kind: 'failed' });
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      const plainInit = { method, headers, body: init.body ?? undefined } as RequestInit;
      send(url, plainInit, {
        name,
        fate,
        end,
        signal,
        resolve: settled(resolve),
        reject: settled(reject),
        inSameLife: machine.guard((run: () => void) => run()),
      });
    });
};
