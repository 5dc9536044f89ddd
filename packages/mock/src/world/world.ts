import type { Agent, OperationId } from '@confab/client/contract';
import type { WorldClock } from './clock/clock.ts';
import type { Era, Eras } from './clock/era.ts';
import type { Faults } from './faults/faults.ts';
import type { Keys } from './keys/keys.ts';
import type { RequestLog } from './log/log.ts';
import type { Random } from './random/random.ts';
import type { Store } from './store/store.ts';
import type { Outbox } from './webhooks/outbox.ts';

/** What an agent answers: its text alone, or with what it cost. */
export type MockReply =
  | string
  | {
      /** The generated text. */
      readonly text: string;
      /** The number of tokens that the model read. */
      readonly tokensIn?: number;
      /** The number of tokens that the model generated. */
      readonly tokensOut?: number;
      /** The time that the agent took, in milliseconds. */
      readonly latencyMs?: number;
    };

/** Answers for an agent. */
export type Respond = (agent: Readonly<Agent>, userMessage: string) => MockReply | Promise<MockReply>;

/** Milliseconds that each request takes on the mock's clock: always the same, or drawn by the seed. */
export type Latency =
  | number
  | {
      /** The shortest latency, in milliseconds. */
      readonly min: number;
      /** The longest latency, in milliseconds. */
      readonly max: number;
    };

/** One account of the service, with all that tests can turn. Nothing in it is shared with another. */
export interface World {
  /** Ids and sample data. */
  readonly random: Random;
  /** What may happen to a request: the probability of a fault, and latency. */
  readonly chance: Random;
  readonly clock: WorldClock;
  readonly store: Store;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly outbox: Outbox;
  readonly log: RequestLog;
  readonly eras: Eras;
  /** Over once the mock is closed. */
  readonly life: Era;
  /** What closes each server that serves it. */
  readonly servers: Set<() => Promise<void>>;
  readonly scopes: Readonly<Partial<Record<OperationId, string>>>;
  readonly latency: Latency;
  readonly rateLimitHeaders: 'refused' | 'always';
  readonly respond: Respond;
  readonly strict: boolean;
}
