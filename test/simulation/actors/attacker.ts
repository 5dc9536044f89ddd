import { sign } from '@confab/webhooks';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import type { Captured, HookLink } from '../network/hook-link.ts';
import { ID_HEADER } from '../network/hook-link.ts';
import type { Attack, Step } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';
import type { Receivers } from './receivers.ts';
import { signatureOf, TOLERANCE_SECONDS, TTL_SECONDS } from './receiving.ts';

type Headers = Captured['headers'];

/** What an attacker posts. */
interface Forgery {
  readonly headers: Headers;
  readonly body: string;
  readonly truncated?: boolean;
  /** Whether the receiver may accept it: it is a repeat that only the dedupe store can tell. */
  readonly mayPass?: boolean;
}

/** Someone in the network who reads, repeats and changes deliveries, and knows secrets that have expired. */
export interface Attacker {
  attack(step: Extract<Step, { kind: 'attack' }>): void;
}

/** Milliseconds after which a captured delivery is stale, its dedupe key is forgotten, and old secrets have expired. */
const LATE = (TTL_SECONDS + 2 * TOLERANCE_SECONDS) * 1_000;

/** Milliseconds for which a repeat is certainly within the tolerance, whatever the receiver's clock says. */
const FRESH = 120_000;

/** Milliseconds for which the attacker waits for the next delivery, to repeat another one under its id. */
const AMBUSH = 60_000;

const flipBit = (text: string, pick: number): string => {
  const at = Math.floor(pick * text.length);
  return `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`;
};

const withHeader = (headers: Headers, name: string, change: (value: string) => string): Headers =>
  headers.map(([each, value]) => [each, each === name ? change(value) : value]);

/** Creates the attacker of a scenario. */
export const createAttacker = (
  sim: Sim,
  link: HookLink,
  receivers: Receivers,
  ledger: DeliveriesLedger,
  expiredSecret: () => string | undefined,
): Attacker => {
  const { scheme } = sim.scenario.settings.hooks;
  const nowSeconds = () => Math.floor(sim.timeline.now() / 1_000);

  const forge = async (secret: string): Promise<Forgery> => {
    const body = JSON.stringify({
      event: 'message.created',
      data: { conversationId: '00000000-0000-8000-8000-000000000001', channel: 'live_chat', body: 'forged' },
    });
    const signed = await sign(body, {
      secret,
      signature: signatureOf(scheme),
      timestamp: nowSeconds(),
      id: 'msg_forged',
    });
    return { body, headers: Object.entries({ ...signed, [ID_HEADER]: 'msg_forged' }) };
  };

  /** The signature or the signed time of a delivery, moved to the present. */
  const changeTime = ({ headers, body }: Captured): Forgery | undefined => {
    switch (scheme) {
      case 'standard':
        return { body, headers: withHeader(headers, 'webhook-timestamp', () => String(nowSeconds())) };
      case 'timestamped':
        return {
          body,
          headers: withHeader(headers, 'x-signature', (value) => value.replace(/t=\d+/, `t=${nowSeconds()}`)),
        };
      case 'plain':
        return undefined;
    }
  };

  const make = async (attack: Attack, pick: number): Promise<Forgery | undefined> => {
    const { captured } = link;
    const one = captured[Math.floor(pick * captured.length)];
    if (attack === 'forge') {
      return forge('d3Jvbmctc2VjcmV0LW9mLXRoZS1hdHRhY2tlcg==');
    }
    if (attack === 'old-secret') {
      const secret = expiredSecret();
      return secret === undefined ? undefined : forge(secret);
    }
    if (one === undefined) {
      return undefined;
    }
    switch (attack) {
      case 'flip-bit':
        return { headers: one.headers, body: flipBit(one.body, pick) };
      case 'mix': {
        const other = captured.find(({ body }) => body !== one.body);
        return other === undefined ? undefined : { headers: one.headers, body: other.body };
      }
      case 'truncate':
        return { headers: one.headers, body: one.body, truncated: true };
      case 'replay':
        return sim.elapsed() - one.at > FRESH ? undefined : { ...one, mayPass: true };
      case 'replay-late':
        return scheme === 'plain' ? undefined : one;
      case 'change-time':
        return changeTime(one);
      default:
        return undefined;
    }
  };

  const post = async (forgery: Forgery, attack: Attack, pick: number): Promise<void> => {
    const which = Math.floor(pick * receivers.count);
    sim.log(`attacker posts ${attack} to receiver${which}`);
    const response = await receivers.post(which, { truncated: false, ...forgery }).catch(() => undefined);
    sim.log(`attacker gets ${response?.status ?? 'no response'}`);
    if (response?.ok && !forgery.mayPass) {
      sim.fail('forged', `A receiver accepted the attack ${attack}`);
    }
  };

  /** Posts an earlier delivery under the id of the next one, before that arrives. */
  const ambush = (pick: number): void => {
    const [first] = link.captured;
    const until = sim.elapsed() + AMBUSH;
    if (first === undefined || scheme !== 'plain') {
      return;
    }
    const before = link.onCapture;
    link.onCapture = (next) => {
      before(next);
      if (sim.elapsed() < until && next.id !== first.id && next.body !== first.body) {
        ledger.repeatedUnder(next.id, first.body);
        const headers = withHeader(first.headers, ID_HEADER, () => next.id);
        void post({ headers, body: first.body, mayPass: true }, 'take-id', pick);
      }
    };
  };

  return {
    attack({ attack, pick }) {
      if (attack === 'take-id') {
        ambush(pick);
        return;
      }
      const strike = async () => {
        const forgery = await make(attack, pick);
        if (forgery !== undefined) {
          await post(forgery, attack, pick);
        }
      };
      const late = attack === 'replay-late' || attack === 'old-secret' || attack === 'change-time';
      sim.timeline.after(late ? LATE : 0, 'event', () => void strike());
    },
  };
};
