import type {
  Delivery,
  Fault,
  ListedEndpoint,
  ListedKey,
  LoggedRequest,
  Mock,
  PlannedFault as OwnPlannedFault,
} from '../../../src/index.ts';

export type { Delivery, LoggedRequest };

type RowOf<Name extends 'conversations' | 'leads' | 'messages'> = ReturnType<Mock[Name]['find']>[number];

export type Conversation = RowOf<'conversations'>;
export type Lead = RowOf<'leads'>;
export type Message = RowOf<'messages'>;

/** A row of any collection. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** A key. JSON has no `Infinity`, so no limit is null. */
export type Key = Omit<ListedKey, 'rateLimit'> & {
  readonly rateLimit: { readonly requests: number | null; readonly perMs: number };
};

/** An endpoint, with its signature as JSON. */
export type ShownEndpoint = Omit<ListedEndpoint, 'signature' | 'timeout'> & {
  readonly signature: unknown;
};

/** A planned fault; its fault is null if the process that serves the mock decides on it. */
export type PlannedFault = Omit<OwnPlannedFault, 'fault'> & { readonly fault: Fault | null };

/** The time on the clock of the mock. */
export interface ClockState {
  readonly now: string;
  readonly kind: 'virtual' | 'system';
}

/** What a client of the mock needs. */
export interface Info {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: ClockState;
}
