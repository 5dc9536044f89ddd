import type { Agent, OperationId } from '@confab/client/contract';
import { MockClosedError, MockError } from '../errors/mock-error.ts';
import type { CompleteBehavior } from './behavior.ts';
import type { WorldClock } from './clock/clock.ts';
import type { RequestFaults } from './faults/request-faults.ts';
import type { Keys } from './keys/keys.ts';
import type { RequestLog } from './log/request-log.ts';
import type { Random } from './store/random.ts';
import type { Store } from './store/store.ts';
import type { Watchers } from './watchers.ts';
import type { Outbox } from './webhooks/outbox.ts';

/** The reply of an agent: a text, or a text with its token counts and latency. */
export type MockReply =
  | string
  | {
      /** The text of the reply. */
      readonly text: string;
      /**
       * Tokens in the user's message.
       * @default about one for every four characters
       */
      readonly tokensIn?: number | undefined;
      /**
       * Tokens in the reply.
       * @default about one for every four characters
       */
      readonly tokensOut?: number | undefined;
      /**
       * Milliseconds that the reply took.
       * @default the time that passed on the mock's clock
       */
      readonly latencyMs?: number | undefined;
    };

/** Returns the reply of an agent to a message, for the option `agents`. */
export type Respond = (agent: Readonly<Agent>, userMessage: string) => MockReply | Promise<MockReply>;

/** How many milliseconds each request takes on the mock's clock: a fixed number, or a random one between two bounds. */
export type Latency =
  | number
  | {
      /** The smallest number of milliseconds. */
      readonly min: number;
      /** The largest number of milliseconds. */
      readonly max: number;
    };

/** The state of one mock: one account of the service, and everything that tests can change about it. */
export interface World {
  /** Draws ids and sample data. */
  readonly random: Random;
  /** Draws what happens to requests: faults with a probability, and latency. */
  readonly networkRandom: Random;
  readonly clock: WorldClock;
  readonly store: Store;
  readonly keys: Keys;
  /** {@link Mock.apiKey}. */
  apiKey: string;
  /** The admin tokens of the servers. Unlike the API keys, they are secret, so the log must not show them. */
  readonly adminTokens: Set<string>;
  readonly faults: RequestFaults;
  readonly outbox: Outbox;
  readonly log: RequestLog;
  /** Aborted and replaced when the world is restored or closed, which ends everything that is in progress. */
  resetController: AbortController;
  readonly watchers: Watchers;
  /** Aborted once the mock is closed. */
  readonly closeController: AbortController;
  /** One function for each server of the mock, which closes it. */
  readonly servers: Set<() => Promise<void>>;
  readonly scopes: Readonly<Partial<Record<OperationId, string | undefined>>>;
  readonly behavior: CompleteBehavior;
  readonly latency: Latency;
  readonly rateLimitHeaders: 'refused' | 'always';
  readonly respond: Respond;
  readonly strict: boolean;
}

/** @throws A {@link MockClosedError} when the world is closed. */
export const checkOpen = ({ closeController }: Pick<World, 'closeController'>, what: string): void => {
  if (closeController.signal.aborted) {
    throw new MockClosedError(what);
  }
};

/** Aborts the requests of a world. */
export const abortRequests = (world: World): void => {
  const before = world.resetController;
  world.resetController = new AbortController();
  before.abort(
    new MockError(
      'MOCK_RESTORED',
      'The mock was restored, reset or closed while this request was in progress.',
    ),
  );
};

/** Aborts everything in a world. Resolves once it no longer keeps the process alive. */
export const closeWorld = async (world: World): Promise<void> => {
  world.closeController.abort();
  abortRequests(world);
  // Before the clock is closed, so that deliveries end with their own reason, and not with that of the clock.
  const delivered = world.outbox.close();
  world.clock.close();
  await Promise.all([delivered, ...[...world.servers].map((close) => close())]);
};

/** The world of each mock. Only this package can reach it. */
export const worldOf = new WeakMap<object, World>();
