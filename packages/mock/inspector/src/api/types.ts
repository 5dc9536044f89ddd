import type { ControlOperations } from '../../../src/control/operations.ts';
import type { RemoteListedEndpoint, RemotePlannedFault } from '../../../src/control/remote-types.ts';
import type { Delivery, ListedKey, LoggedRequest, Mock } from '../../../src/index.ts';

export type {
  Delivery,
  LoggedRequest,
  RemoteListedEndpoint as ShownEndpoint,
  RemotePlannedFault as PlannedFault,
};

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

/** The planned faults, and those that were used up. */
export type FaultList = ControlOperations['faults.list'];

/** What a client of the mock needs. */
export type Info = ControlOperations['info']['data'];
