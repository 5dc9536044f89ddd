import { hasMethods, pathName, typeName, valueAt } from '@confab/internal';
import { toWebhookError, WebhookConfigurationError, WebhookError } from './errors.ts';
import type { OutputOf, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';

/** The data of a `message.created` event. Fields that the service adds later are kept, but have no type. */
export interface MessageCreated {
  /** The id of the conversation that the message belongs to. */
  readonly conversationId: string;
  /** The channel of the conversation. */
  readonly channel: string;
  /** The text of the message. */
  readonly body: string;
}

const FIELDS = ['conversationId', 'channel', 'body'] as const;

/**
 * Validates the data of a `message.created` event.
 *
 * The schema is written by hand, because a schema library would be 40 % of this package in a bundle.
 *
 * @example
 * ```ts
 * const { issues } = await MessageCreatedSchema['~standard'].validate(data);
 * ```
 */
export const MessageCreatedSchema: StandardSchema<unknown, MessageCreated> = {
  '~standard': {
    version: 1,
    vendor: 'confab',
    validate: (value) => {
      const data = (value ?? {}) as Record<string, unknown>;
      const issues: StandardIssue[] = [];
      for (const field of FIELDS) {
        if (typeof data[field] !== 'string') {
          issues.push({ message: 'must be a string', path: [field] });
        }
      }
      return issues.length === 0 ? { value: value as MessageCreated } : { issues };
    },
  },
};

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

/** An event as it was sent. */
export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
}

/** An event of any receiver, without the types of its schemas. */
export type AnyEvent = KnownEvent | UnknownEvent;

const invalidEventError = (problem: string): WebhookError =>
  new WebhookError('INVALID_EVENT', `The delivery is genuine, but ${problem}.`);

/** Whether a value is a JSON object. An array is not. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the body of a genuine delivery as an event of any name. The name is in `event`, or in `type` as in Standard
 * Webhooks.
 *
 * @throws A {@link WebhookError} when the body is not an event, with `code: 'INVALID_JSON'` or `'INVALID_EVENT'`.
 */
export const parseEvent = (text: string): SentEvent => {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw new WebhookError(
      'INVALID_JSON',
      `The delivery is genuine, but its body (${text.length} characters) is not JSON.`,
    );
  }
  if (!isJsonObject(payload)) {
    throw invalidEventError(`the payload must be an object, got ${typeName(payload)}`);
  }
  const { event, type, data } = payload;
  const name = event === undefined ? type : event;
  if (typeof name !== 'string') {
    throw invalidEventError(`\`event\` or \`type\` must be a string, got ${typeName(name)}`);
  }
  if (!isJsonObject(data)) {
    throw invalidEventError(`\`data\` must be an object, got ${typeName(data)}`);
  }
  return { event: name, data };
};

/** Describes an issue with the type of the value, not the value itself: it may be personal, and errors end up in logs. */
const describeIssue = ({ message, path = [] }: StandardIssue, data: unknown): string => {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return `${pathName(keys, 'data')}: ${message} (${typeName(valueAt(data, keys))})`;
};

/** The schemas of a receiver. A Map, because `__proto__` must be a name like any other. */
export type SchemaMap = ReadonlyMap<string, StandardSchema>;

/**
 * Adds the user's schemas to the one that is built in.
 *
 * @throws A {@link WebhookConfigurationError} when `events` contains something that is not a schema.
 */
export const mergeSchemas = (events: EventSchemas): SchemaMap => {
  for (const [name, schema] of Object.entries(events)) {
    if (!hasMethods(schema?.['~standard'], 'validate')) {
      throw new WebhookConfigurationError(`\`events[${JSON.stringify(name)}]\` must be a Standard Schema.`);
    }
  }
  return new Map([['message.created', MessageCreatedSchema], ...Object.entries(events)]);
};

/**
 * Validates the data of an event with its schema.
 *
 * @throws A {@link WebhookError} when the data is invalid (`INVALID_EVENT`), or the schema throws (`RECEIVER_FAILED`).
 */
export const validateEvent = async ({ event, data }: SentEvent, schemas: SchemaMap): Promise<AnyEvent> => {
  const schema = schemas.get(event);
  if (schema === undefined) {
    return { event, data, known: false };
  }
  let result: StandardResult<unknown>;
  try {
    result = await schema['~standard'].validate(data);
  } catch (cause) {
    throw toWebhookError('A schema', cause);
  }
  if (result.issues === undefined) {
    return { event, data: result.value, known: true };
  }
  const issues = result.issues.slice(0, 5).map((issue) => describeIssue(issue, data));
  const problem = issues.join('; ');
  throw invalidEventError(`its ${JSON.stringify(event)} data does not match the schema: ${problem}`);
};
