import { pathName, typeName, valueAt } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { whenHere } from '../timing/when-here.ts';
import { MessageCreatedSchema } from './message-created.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';
import type { EventSchemas, KnownEvent, UnknownEvent } from './webhook-event.ts';

/** Describes an issue with the type of the value only: people wrote the value, and errors end up in logs. */
const describeIssue = ({ message, path = [] }: StandardIssue, data: unknown): string => {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return `${pathName(keys, 'data')}: ${message} (${typeName(valueAt(data, keys))})`;
};

/** Builds the error for a problem, which is a clause without a full stop. */
export type Refuse = (problem: string) => WebhookError;

const invalidEvent: Refuse = (problem) =>
  new WebhookError('INVALID_EVENT', `The delivery is genuine, but ${problem}.`);

/**
 * Refuses a value of any other type.
 *
 * @param type As `typeName` writes it: `an object`.
 */
export const mustBe = (type: string, value: unknown, name: string, refuse: Refuse = invalidEvent): void => {
  const given = typeName(value);
  if (given !== type) {
    throw refuse(`${name} must be ${type}, got ${given}`);
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookError(
      'INVALID_JSON',
      `The delivery is genuine, but its body (${text.length} characters) is not JSON.`,
    );
  }
};

/** An event as it was sent. */
interface SentEvent {
  readonly event: string;
  readonly data: unknown;
}

type ParsedEvent = KnownEvent | UnknownEvent;

/** Parses events with the schemas of one receiver. */
export interface EventParser {
  /** The names of the events that have a schema. */
  readonly names: readonly string[];
  /**
   * Reads a genuine text as an event.
   *
   * @throws {@link WebhookError} When it is none, with `code: 'INVALID_JSON'` or `'INVALID_EVENT'`.
   */
  readonly read: (text: string) => SentEvent;
  /**
   * Checks that a value is an event, whatever its name is.
   *
   * @throws {@link WebhookError} When it is none, with `code: 'INVALID_EVENT'`.
   */
  readonly check: (payload: unknown, refuse?: Refuse) => SentEvent;
  /**
   * Validates the data of an event with its schema.
   *
   * @throws {@link WebhookError} When the data is invalid, with `code: 'INVALID_EVENT'`.
   */
  readonly validate: (event: SentEvent) => ParsedEvent | Promise<ParsedEvent>;
}

/**
 * Creates the parser. Event names are keys of a Map, because `__proto__` must be a name like any other.
 *
 * @throws {@link WebhookConfigurationError} When `events` contains something that is not a schema.
 */
export const createEventParser = (events: EventSchemas): EventParser => {
  for (const [name, schema] of Object.entries(events)) {
    if (typeof schema?.['~standard']?.validate === 'function') {
      continue;
    }
    throw new WebhookConfigurationError(`events[${JSON.stringify(name)}] must be a Standard Schema.`);
  }
  const schemas = new Map<string, StandardSchema>([
    ['message.created', MessageCreatedSchema],
    ...Object.entries(events),
  ]);
  const check: EventParser['check'] = (payload, refuse) => {
    mustBe('an object', payload, 'the payload', refuse);
    const { event, data } = payload as SentEvent;
    mustBe('a string', event, '`event`', refuse);
    mustBe('an object', data, '`data`', refuse);
    return { event, data };
  };
  const validate: EventParser['validate'] = ({ event, data }) => {
    const schema = schemas.get(event);
    if (schema === undefined) {
      return { event, data, known: false };
    }
    return whenHere(schema['~standard'].validate(data), (result) => {
      if (result.issues === undefined) {
        return { event, data: result.value, known: true };
      }
      const issues = result.issues
        .slice(0, 5)
        .map((issue) => describeIssue(issue, data))
        .join('; ');
      throw invalidEvent(`its ${JSON.stringify(event)} data does not match the schema: ${issues}`);
    });
  };
  return { names: [...schemas.keys()], read: (text) => check(parseJson(text)), check, validate };
};
