import type { Posted, Receivers } from '../actors/receivers.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import type { Sim } from '../sim.ts';
import type { Conditions } from './conditions.ts';
import { broken, fateText } from './connection.ts';
import type { Fate } from './fate.ts';

/** The header with the id of a delivery, for schemes that sign none. */
export const ID_HEADER = 'x-delivery-id';

/** A delivery as an attacker sees it in the network. */
export interface Captured extends Posted {
  readonly id: string;
  /** Milliseconds since the start. */
  readonly at: number;
}

/** The network between the sender and the receivers. */
export interface HookLink {
  /** The `fetch` of the endpoint. */
  fetch(request: Request): Promise<Response>;
  /** What has passed through it. */
  readonly captured: readonly Captured[];
  /** Called with each delivery before it travels. */
  onCapture: (captured: Captured) => void;
}

/** Creates the network. */
export const createHookLink = (
  sim: Sim,
  conditions: Conditions,
  receivers: Receivers,
  ledger: DeliveriesLedger,
): HookLink => {
  const captured: Captured[] = [];
  const attempts = new Map<string, number>();

  /** Posts a delivery, and brings the response back as the fate says. */
  const travel = async (which: number, posted: Captured, name: string, fate: Fate): Promise<Response> => {
    const truncated = fate.request === 'truncated';
    const response = await receivers.post(which, { ...posted, truncated });
    sim.log(`${name} gets ${response.status}`);
    if (truncated && response.ok) {
      sim.fail('forged', `${name} was accepted although its body was cut off`);
    }
    await new Promise<void>((resolve) => {
      if (fate.response !== 'lost' && fate.response !== 'stalled') {
        sim.timeline.after(fate.backMs, 'event', resolve);
      }
    });
    if (fate.response === 'reset' || fate.response === 'truncated') {
      throw broken('reset');
    }
    return response;
  };

  const link: HookLink = {
    captured,
    onCapture: () => {},
    async fetch(request) {
      const headers = [...request.headers];
      const id = request.headers.get('webhook-id') ?? request.headers.get(ID_HEADER) ?? 'none';
      const body = await request.text();
      ledger.signed(id, body);
      const attempt = attempts.get(id) ?? 0;
      attempts.set(id, attempt + 1);
      const which = sim.random(`balance/${id}/${attempt}`).whole(0, receivers.count - 1);
      const fate = conditions.fateOf('hook', which, `${id}/${attempt}`);
      const name = `${id}#${attempt}`;
      sim.log(`${name} leaves for receiver${which}${fateText(fate)}`);
      const posted: Captured = { id, headers, body, truncated: false, at: sim.elapsed() };
      captured.push(posted);
      link.onCapture(posted);
      // Only what arrives can arrive twice; nothing reaches a process that is cut off.
      if (fate.request === 'arrives' && fate.duplicateMs !== undefined) {
        sim.timeline.after(fate.outMs + fate.duplicateMs, 'event', () => {
          sim.log(`${name} arrives again`);
          receivers.post(which, posted).catch(() => {});
        });
      }
      return new Promise<Response>((resolve, reject) => {
        if (fate.request === 'lost') {
          return;
        }
        sim.timeline.after(fate.outMs, 'event', () => {
          if (fate.request === 'reset') {
            reject(broken('refused'));
          } else {
            travel(which, posted, name, fate).then(resolve, reject);
          }
        });
      });
    },
  };
  return link;
};
