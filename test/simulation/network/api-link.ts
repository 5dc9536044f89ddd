import type { Fetch } from '@confab/client';
import type { Machine } from '../clock/machine.ts';
import type { CallsLedger, Ending } from '../invariants/calls.ts';
import type { Sim } from '../sim.ts';
import type { Conditions } from './conditions.ts';
import { fateText } from './conditions.ts';
import { broken, sendHalf } from './connection.ts';

/** Headers that tell the network which step a request belongs to, and whether its caller allowed retries of a write. */
export const STEP_HEADER = 'x-step';
export const MAY_RETRY_HEADER = 'x-may-retry';

/** A header with the milliseconds that a `Retry-After` means, for values that take more than `Number()` to read. */
export const TRUE_WAIT_HEADER = 'x-true-wait-ms';

/** Milliseconds between the two parts of a response that arrives in parts. */
const SPLIT_MS = 40;

/** A whole response, as the service sent it. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface ApiLinkOptions {
  readonly sim: Sim;
  readonly conditions: Conditions;
  readonly machine: Machine;
  readonly who: number;
  readonly ledger: CallsLedger;
  /** Returns the number of the call that is sending right now. */
  readonly callId: () => number;
  readonly service: (url: string, init: RequestInit) => Promise<PlainResponse>;
}

/** Reads the end of a request from its response. The page of a proxy says nothing about the limit. */
const endingOf = ({ status, headers, body }: PlainResponse, isComplete: boolean): Ending => {
  const numberIn = (name: string) => (headers.has(name) ? Number(headers.get(name)) : undefined);
  return {
    status,
    retryAfterMs: numberIn(TRUE_WAIT_HEADER) ?? (numberIn('retry-after') ?? 0) * 1_000,
    limit: isComplete && body.startsWith('{"success"') ? numberIn('x-ratelimit-limit') : undefined,
  };
};

/** Creates the `fetch` of a client: everything that it sends passes through the simulated network. */
export const createApiLink = (options: ApiLinkOptions): Fetch => {
  const { sim, conditions, machine, who, ledger, callId, service } = options;
  const exchanges = new Map<string, number>();

  return (url, init) =>
    new Promise<Response>((resolve, reject) => {
      const headers = new Headers(init.headers);
      const { method = 'GET' } = init;
      const signal = init.signal as AbortSignal;
      const step = headers.get(STEP_HEADER) ?? 'none';
      const path = url.slice(url.indexOf('/api/'));
      const number = exchanges.get(step) ?? 0;
      exchanges.set(step, number + 1);
      const name = `${machine.name}.${step}.${number}`;
      const fate = conditions.fateOf('api', who, `${machine.life}/${name}`);
      sim.log(`${name} sends ${method} ${path}${fateText(fate)}`);
      const end = ledger.sent({
        callId: callId(),
        method,
        path,
        body: typeof init.body === 'string' ? init.body : '',
        mayRetry: headers.get(MAY_RETRY_HEADER) === '1',
      });

      /** Called when the client gives up. */
      let giveUp = () => {
        sim.log(`${name} is aborted`);
        settle({}, () => reject(signal.reason));
      };
      const onAbort = () => giveUp();
      signal.addEventListener('abort', onAbort, { once: true });
      /** Ends the exchange for the client. */
      const settle = (ending: Ending, how: () => void): void => {
        signal.removeEventListener('abort', onAbort);
        end(ending);
        how();
      };
      /** Wraps a function so that it does nothing once the client has given up. */
      const unlessAborted = (run: () => void) => (): void => {
        if (!signal.aborted) {
          run();
        }
      };

      /** Hands a response to the client in two parts. The second part may never arrive. */
      const receiveHalf = (plain: PlainResponse): void => {
        sim.log(`${name} ${plain.status}, first half`);
        const parts = sendHalf(plain.body);
        // The client relies on the status of an error even if the body breaks off.
        const cut = plain.status >= 300 ? endingOf(plain, false) : {};
        // A client whose caller has left need not wait for the end of a `Retry-After` that came with half a body.
        giveUp = () => settle({ ...cut, retryAfterMs: undefined }, () => parts.fail(signal.reason));
        const continueWith = unlessAborted(() => {
          sim.log(`${name} second half ${fate.response === 'split' ? 'arrives' : 'is lost'}`);
          if (fate.response === 'split') {
            settle(endingOf(plain, true), parts.finish);
          } else {
            settle(cut, () => parts.fail(broken('terminated')));
          }
        });
        if (fate.response !== 'stalled') {
          machine.after(SPLIT_MS, continueWith);
        }
        resolve(new Response(parts.stream, plain));
      };

      const receive = (plain: PlainResponse): void => {
        if (fate.response === 'reset') {
          sim.log(`${name} connection reset`);
          settle({}, () => reject(broken('reset')));
        } else if (fate.response === 'arrives') {
          sim.log(`${name} ${plain.status}`);
          settle(endingOf(plain, true), () => resolve(new Response(plain.body, plain)));
        } else {
          receiveHalf(plain);
        }
      };

      const request: RequestInit = { method, headers, body: init.body ?? null };
      /** Lets the request reach the service. */
      const serve = (): Promise<PlainResponse> =>
        service(url, request).catch((error: unknown) => {
          sim.fail('expected', `${name} failed in the service: ${String(error)}`);
          throw error;
        });
      // A request that was sent arrives even if the client gives up or crashes. The response reaches only the same life.
      const inSameLife = machine.guard((run: () => void) => run());
      const travel = async (): Promise<void> => {
        const plain = await serve();
        sim.log(`${name} is served with ${plain.status}`);
        if (fate.response !== 'lost') {
          sim.after(fate.backMs, () => inSameLife(unlessAborted(() => receive(plain))));
        }
      };

      if (fate.request === 'arrives') {
        sim.after(fate.outMs, () => void travel().catch(() => {}));
        if (fate.duplicateMs !== undefined) {
          sim.after(fate.outMs + fate.duplicateMs, () => {
            sim.log(`${name} arrives again`);
            serve().catch(() => {});
          });
        }
      } else if (fate.request === 'reset') {
        const refuse = unlessAborted(() => {
          sim.log(`${name} connection refused`);
          settle({}, () => reject(broken('refused')));
        });
        machine.after(fate.outMs, refuse);
      }
      // A service does not act on a request whose end never arrives.
    });
};
