import type { Mock, MockClientOptions } from '../mock.ts';
import type { InboundResult } from '../world/inbound.ts';
import type { Remote, RemotePlannedFault, RemoteSnapshot } from './remote.ts';
import type { RemoteWebhooks } from './remote-webhooks.ts';

/** Plans what goes wrong with the requests of a served mock. */
export interface RemoteFaults extends Remote<Omit<Mock['faults'], 'planned'>> {
  /** Lists the faults that are planned, in the order of planning. */
  planned(): Promise<readonly RemotePlannedFault[]>;
}

/** The parts that a served mock and its worlds have in common. */
export interface RemoteParts {
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** An API key with every scope, unless the mock was served with another one. */
  readonly apiKey: string;
  /**
   * Options that make a client of `@confab/client` use the mock. They contain no clock: the client waits in real time, even
   * if the mock has a virtual clock.
   *
   * @example
   * ```ts
   * const confab = createClient(mock.clientOptions);
   * ```
   */
  readonly clientOptions: Pick<MockClientOptions, 'baseUrl' | 'apiKey' | 'dangerouslyAllowBrowser'>;
  /** The pipelines that leads and conversations belong to. */
  readonly pipelines: Remote<Mock['pipelines']>;
  /** The leads, with their notes. */
  readonly leads: Remote<Mock['leads']>;
  /** The conversations. */
  readonly conversations: Remote<Mock['conversations']>;
  /** The messages of all conversations. */
  readonly messages: Remote<Mock['messages']>;
  /** The agents. */
  readonly agents: Remote<Mock['agents']>;
  /** The API keys. */
  readonly keys: Remote<Mock['keys']>;
  /** The time that the service, its rate limits and its webhooks follow. */
  readonly clock: Remote<Pick<Mock['clock'], 'now' | 'advance' | 'set'>>;
  /** Plans what goes wrong with requests. */
  readonly faults: RemoteFaults;
  /** Delivers events to endpoints. */
  readonly webhooks: RemoteWebhooks;
  /** The log of the requests that the mock received. */
  readonly requests: Remote<Omit<Mock['requests'], typeof Symbol.iterator>>;
  /**
   * Simulates a message from a lead, as `Mock.inbound` does.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field or value is invalid.
   */
  inbound(...parameters: Parameters<Mock['inbound']>): Promise<InboundResult>;
  /** Returns every row, oldest first, in the form of the option `data`. */
  dump(): Promise<ReturnType<Mock['dump']>>;
  /**
   * Saves the state of the mock, to restore it later. The server keeps up to 100 snapshots.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the server keeps too many.
   */
  snapshot(): Promise<RemoteSnapshot>;
  /**
   * Restores a snapshot of this mock, and abandons the requests and deliveries that are under way.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the server does not keep the snapshot.
   */
  restore(snapshot: Pick<RemoteSnapshot, 'id'>): Promise<void>;
  /** Lists the snapshots that the server keeps. */
  snapshots(): Promise<readonly RemoteSnapshot[]>;
  /** Makes the server forget a snapshot, and returns whether it kept it. */
  deleteSnapshot(snapshot: Pick<RemoteSnapshot, 'id'>): Promise<boolean>;
  /** Restores the state in which the mock was served, or the world created. */
  reset(): Promise<void>;
}
