import type { MockRows } from '../../../src/world/resources/resources.ts';
import type { Reply } from './call.ts';

export type {
  RemoteListedEndpoint as ShownEndpoint,
  RemotePlannedFault as PlannedFault,
} from '../../../src/control/remote-types.ts';
export type { Delivery, ListedKey as Key, LoggedRequest } from '../../../src/index.ts';

export type Conversation = MockRows['conversations'];
export type Lead = MockRows['leads'];
export type Message = MockRows['messages'];

/** A row of any collection. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** The planned faults, and those that were used up. */
export type FaultList = Reply<'faults.list'>;
