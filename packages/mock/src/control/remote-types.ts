import type { SignatureOptions } from '@confab/webhooks';
import type { Fault, PlannedFault } from '../world/faults/fault.ts';
import type { MockOptions } from '../world/options.ts';
import type { Endpoint, ListedEndpoint } from '../world/webhooks/endpoints.ts';

// The types of the values that a mock server sends and accepts: those of a mock without values that JSON can't express,
// such as functions, and those of its snapshots and worlds.

/** A planned fault of a mock server. */
export interface RemotePlannedFault extends Omit<PlannedFault, 'fault'> {
  /** The fault; null if it is a function in the process of the server. */
  readonly fault: Fault | null;
}

/** An endpoint for a mock server: only fields that JSON can express. */
export interface RemoteEndpoint extends Omit<Endpoint, 'fetch' | 'secret' | 'signature'> {
  /** The secret that deliveries are signed with. */
  readonly secret: string;
  /**
   * The header and the encoding of the signature, or `'standard-webhooks'`.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: SignatureOptions | 'standard-webhooks' | undefined;
}

/** An endpoint of a mock server, without its secret. */
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

/** The options of a world: those of `createMock` that JSON can express. */
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
  /** Milliseconds of real time after which the unused world is deleted. */
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
  /** How many requests to it are in flight. */
  readonly busy: number;
}
