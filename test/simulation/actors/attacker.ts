import { sign } from '@confab/webhooks';
import { WRONG_SECRET } from '../faults.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import type { Captured, HookLink, Posted } from '../network/hook-link.ts';
import { ID_HEADER } from '../network/hook-link.ts';
import type { Sim } from '../sim.ts';
import type { Receivers } from './receivers.ts';
import { signatureOf, TOLERANCE_SECONDS, TTL_SECONDS } from './receiving.ts';
import type { Sender } from './sender.ts';

/** The ways to attack the receivers. */
export const ATTACKS = [
  'forge',
  'old-secret',
  'flip-bit',
  'replay',
  'replay-late',
  'change-time',
  'take-id',
] as const;

type Attack = (typeof ATTACKS)[number];

/** Attacks that wait until a captured delivery is stale, its dedupe key is forgotten, and old secrets have expired. */
const LATE_ATTACKS: readonly Attack[] = ['old-secret', 'replay-late', 'change-time'];
const LATE_MS = (TTL_SECONDS + 2 * TOLERANCE_SECONDS) * 1_000;

/** Attacks that a receiver may accept: only the dedupe store can tell that they are replays. */
const REPLAYS: readonly Attack[] = ['replay', 'take-id'];

/** The age in milliseconds up to which a replay is certainly within the tolerance, whatever the receiver's clock says. */
const MAX_REPLAY_AGE = 120_000;

/** Milliseconds for which the attacker waits for the next delivery, to replay an earlier one under its id. */
const TAKE_ID_WITHIN = 60_000;

const FORGED = JSON.stringify({
  event: 'message.created',
  data: { conversationId: '00000000-0000-8000-8000-000000000001', channel: 'live_chat', body: 'forged' },
});

const flipBit = (text: string, pick: number): string => {
  const index = Math.floor(pick * text.length);
  return `${text.slice(0, index)}${String.fromCharCode(text.charCodeAt(index) ^ 1)}${text.slice(index + 1)}`;
};

const withHeader = ({ headers, body }: Posted, name: string, change: (value: string) => string): Posted => ({
  headers: headers.map(([each, value]) => [each, each === name ? change(value) : value]),
  body,
});

/** Creates an attacker in the network, who reads, replays and changes deliveries, and knows secrets that have expired. */
export const createAttacker = (
  sim: Sim,
  link: HookLink,
  receivers: Receivers,
  sender: Sender,
  ledger: DeliveriesLedger,
) => {
  const { scheme } = sim.settings.hooks;
  const nowSeconds = () => Math.floor(sim.timeline.now() / 1_000);

  const forge = async (secret: string): Promise<Posted> => {
    const id = 'msg_forged';
    const options = { secret, signature: signatureOf(scheme), timestamp: nowSeconds(), id };
    const signed = await sign(FORGED, options);
    return { body: FORGED, headers: Object.entries({ ...signed, [ID_HEADER]: id }) };
  };

  /** Moves the signed time of a delivery to the present. */
  const changeTime = (posted: Posted): Posted | undefined => {
    switch (scheme) {
      case 'standard':
        return withHeader(posted, 'webhook-timestamp', () => String(nowSeconds()));
      case 'timestamped':
        return withHeader(posted, 'x-signature', (value) => value.replace(/t=\d+/, `t=${nowSeconds()}`));
      case 'plain':
        return undefined;
    }
  };

  /** Returns what an attack posts, perhaps from a captured delivery; undefined if the attack would prove nothing. */
  type Forge = (one: Captured | undefined, pick: number) => Posted | undefined | Promise<Posted | undefined>;
  const forgers: Readonly<Record<Exclude<Attack, 'take-id'>, Forge>> = {
    forge: () => forge(WRONG_SECRET),
    'old-secret': () => (sender.expiredSecret === undefined ? undefined : forge(sender.expiredSecret)),
    'flip-bit': (one, pick) => one && { ...one, body: flipBit(one.body, pick) },
    replay: (one) => (one && sim.elapsed() - one.at <= MAX_REPLAY_AGE ? one : undefined),
    'replay-late': (one) => (scheme === 'plain' ? undefined : one),
    'change-time': (one) => one && changeTime(one),
  };

  const post = async (posted: Posted | undefined, attack: Attack, pick: number): Promise<void> => {
    if (posted === undefined) {
      return;
    }
    const which = Math.floor(pick * receivers.count);
    sim.log(`attacker posts ${attack} to receiver${which}`);
    const response = await receivers.post(which, posted).catch(() => undefined);
    sim.log(`attacker gets ${response?.status ?? 'no response'}`);
    if (response?.ok && !REPLAYS.includes(attack)) {
      sim.fail('forged', `A receiver accepted the attack ${attack}`);
    }
  };

  /** Posts the first delivery under the id of the next one, before that one arrives. */
  const takeNextId = (pick: number): void => {
    const [first] = link.captured;
    const until = sim.elapsed() + TAKE_ID_WITHIN;
    if (first === undefined || scheme !== 'plain') {
      return;
    }
    const before = link.onCapture;
    link.onCapture = (next) => {
      before(next);
      if (sim.elapsed() < until && next.id !== first.id && next.body !== first.body) {
        ledger.replayedUnder(next.id, first.body);
        void post(
          withHeader(first, ID_HEADER, () => next.id),
          'take-id',
          pick,
        );
      }
    };
  };

  return {
    attack(attack: Attack, pick: number): void {
      if (attack === 'take-id') {
        takeNextId(pick);
        return;
      }
      const launch = async () => {
        const one = link.captured[Math.floor(pick * link.captured.length)];
        await post(await forgers[attack](one, pick), attack, pick);
      };
      sim.after(LATE_ATTACKS.includes(attack) ? LATE_MS : 0, () => void launch());
    },
  };
};
