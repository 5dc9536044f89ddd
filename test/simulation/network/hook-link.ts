import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import type { Sim } from '../sim.ts';
import type { Conditions, Fate } from './conditions.ts';
import { fateText } from './conditions.ts';
import { broken } from './connection.ts';

/** The header with the id of a delivery, for schemes that do not sign an id. */
export const ID_HEADER = 'x-delivery-id';

/** A delivery on its way to a receiver. */
export interface Posted {
  readonly headers: readonly [name: string, value: string][];
  readonly body: string;
  /** Whether the connection breaks in the middle of the body. */
  readonly truncated?: boolean | undefined;
}

/** A delivery as an attacker sees it in the network. */
export interface Captured extends Posted {
  readonly id: string;
  /** Milliseconds since the start. */
  readonly at: number;
}

/** Where deliveries are posted to. */
interface Address {
  readonly count: number;
  post(which: number, posted: Posted): Promise<Response>;
}

/** Creates the network between the sender and the receivers. */
export const createHookLink = (
  sim: Sim,
  conditions: Conditions,
  receivers: Address,
  ledger: DeliveriesLedger,
) => {
  const captured: Captured[] = [];
  const attempts = new Map<string, number>();

  /** Posts a delivery, and returns the response as its fate allows. */
  const travel = async (which: number, posted: Captured, name: string, fate: Fate): Promise<Response> => {
    const truncated = fate.request === 'truncated';
    const response = await receivers.post(which, { ...posted, truncated });
    sim.log(`${name} gets ${response.status}`);
    if (truncated && response.ok) {
      sim.fail('forged', `${name} was accepted although its body was cut off`);
    }
    await new Promise<void>((resolve) => {
      if (fate.response !== 'lost' && fate.response !== 'stalled') {
        sim.after(fate.backMs, resolve);
      }
    });
    if (fate.response === 'reset' || fate.response === 'truncated') {
      throw broken('reset');
    }
    return response;
  };

  const link = {
    /** The deliveries that have passed through the network. */
    captured,
    /** Called with each delivery before it travels. */
    onCapture: (_captured: Captured): void => {},
    /** The `fetch` of the endpoint. */
    async fetch(request: Request): Promise<Response> {
      const headers = [...request.headers];
      const id = request.headers.get('webhook-id') ?? request.headers.get(ID_HEADER) ?? 'none';
      const body = await request.text();
      ledger.signed(id, body);
      const attempt = attempts.get(id) ?? 0;
      attempts.set(id, attempt + 1);
      const name = `${id}#${attempt}`;
      const which = sim.random(`balance/${id}/${attempt}`).integer(0, receivers.count - 1);
      const fate = conditions.fateOf('hook', which, `${id}/${attempt}`);
      sim.log(`${name} leaves for receiver${which}${fateText(fate)}`);
      const posted: Captured = { id, headers, body, at: sim.elapsed() };
      captured.push(posted);
      link.onCapture(posted);
      // Only a request that arrives can arrive twice.
      if (fate.request === 'arrives' && fate.duplicateMs !== undefined) {
        sim.after(fate.outMs + fate.duplicateMs, () => {
          sim.log(`${name} arrives again`);
          receivers.post(which, posted).catch(() => {});
        });
      }
      return new Promise<Response>((resolve, reject) => {
        if (fate.request === 'reset') {
          sim.after(fate.outMs, () => reject(broken('refused')));
        } else if (fate.request !== 'lost') {
          sim.after(fate.outMs, () => void travel(which, posted, name, fate).then(resolve, reject));
        }
      });
    },
  };
  return link;
};

export type HookLink = ReturnType<typeof createHookLink>;
