import type { SignatureOptions } from '@confab/webhooks';
import type { Fault, PlannedFault } from '../world/faults/fault.ts';
import type { MockOptions } from '../world/options.ts';
import type { Endpoint, ListedEndpoint } from '../world/webhooks/endpoints.ts';

// What a served mock sends and takes: the types of a mock without what JSON can't express, such as a function, and those
// of its snapshots and worlds.

/** A planned fault of a served mock. */
export interface RemotePlannedFault extends Omit<PlannedFault, 'fault'> {
  /** The fault, or null for a function in the process that serves the mock. */
  readonly fault: Fault | null;
}

/** An endpoint for a served mock: without what can't be sent. */
export interface RemoteEndpoint extends Omit<Endpoint, 'fetch' | 'secret' | 'signature'> {
  /** The secret that deliveries are signed with. */
  readonly secret: string;
  /**
   * The header and the encoding of the signature, or `'standard-webhooks'`.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: SignatureOptions | 'standard-webhooks' | undefined;
}

/** An endpoint of a served mock, without its secret. */
export interface RemoteListedEndpoint extends Omit<ListedEndpoint, 'signature'> {
  /** The options of the signature, or the source of its scheme: `'standardWebhooks()'`. */
  readonly signature: SignatureOptions | string;
}

/** A snapshot that the server keeps. */
export interface RemoteSnapshot {
  /** Its id. */
  readonly id: string;
  /** When it was taken: an RFC 3339 date-time on the mock's clock. */
  readonly takenAt: string;
}

/** The options of a world: those of `createMock` that can be sent. */
export interface RemoteWorldOptions extends Omit<MockOptions, 'baseUrl' | 'agents' | 'webhooks'> {
  /** The first endpoints of webhooks, and names for the events that the API leaves unnamed. */
  readonly webhooks?:
    | (Omit<NonNullable<MockOptions['webhooks']>, 'endpoints'> & {
        /** The endpoints that events are delivered to from the start. */
        readonly endpoints?: readonly RemoteEndpoint[] | undefined;
      })
    | undefined;
}

/** A new world. */
export interface CreatedWorld {
  /** Its id. */
  readonly id: string;
  /** The path of its base URL: `/w/<id>`. */
  readonly path: string;
  /** Its base URL. */
  readonly baseUrl: string;
  /** A key with every scope, which is valid in no other world. */
  readonly apiKey: string;
  /** Milliseconds of real time after which it is deleted, if unused. */
  readonly ttlMs: number;
}

/** A world in the list of a server. */
export interface ListedWorld {
  /** Its id. */
  readonly id: string;
  /** The path of its base URL. */
  readonly path: string;
  /** Milliseconds of real time since it was last used. */
  readonly unusedMs: number;
  /** How many requests to it are in progress. */
  readonly busy: number;
}
