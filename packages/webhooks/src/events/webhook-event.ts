import type { MessageCreatedSchema } from './message-created.ts';
import type { OutputOf, StandardSchema } from './standard-schema.ts';

/** The schemas of event data, by event name. */
export type EventSchemas = { readonly [name: string]: StandardSchema };

/** The event that the API documents and the user's own events. A user's schema takes precedence. */
export type KnownEvents<Extra extends EventSchemas> = Extra &
  Omit<
    {
      /** The schema of a new message. */
      'message.created': typeof MessageCreatedSchema;
    },
    keyof Extra
  >;

/** An event whose name has a schema. */
export interface KnownEvent<Name extends string = string, Data = unknown> {
  /** The name of the event. */
  readonly event: Name;
  /** The data of the event, checked by its schema. */
  readonly data: Data;
  /** Whether the event has a schema. */
  readonly known: true;
}

/** An event whose name has no schema. Its data is the parsed JSON. */
export interface UnknownEvent {
  /** The name of the event. */
  readonly event: string;
  /** The data of the event, as parsed from JSON. */
  readonly data: unknown;
  /** Whether the event has a schema. */
  readonly known: false;
}

/** The event of one name, with data typed by its schema. */
export type EventOf<Schemas extends EventSchemas, Name extends keyof Schemas & string> = KnownEvent<
  Name,
  OutputOf<Schemas[Name]>
>;

/** Any genuine event. Check `known` first, then `event`. */
export type WebhookEvent<Schemas extends EventSchemas> =
  | { [Name in keyof Schemas & string]: EventOf<Schemas, Name> }[keyof Schemas & string]
  | UnknownEvent;
