import {
  ConversationPrioritySchema,
  ConversationStatusSchema,
  DateTimeSchema,
  IdSchema,
  LeadStatusSchema,
  MessageDirectionSchema,
  SenderTypeSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ChosenCode, NamedCode } from '../../errors/refusal.ts';
import { normalizePhone } from '../../world/store/phone.ts';

type Schema = z.core.$ZodType;

/** Valid values of each kind that belong to no one. They are numbered, because a digest of a phone can be reversed. */
const MAKERS = {
  phone: (at: number) => phone(at),
  person: (at: number) => `Person ${padded(at + 1)}`,
  email: (at: number) => `person-${padded(at + 1)}@example.com`,
  text: (at: number) => `Text ${padded(at + 1)}`,
  // Of fields such as the source of a lead, by which programs filter.
  word: (at: number) => `word-${padded(at + 1)}`,
  code: (at: number) => `CODE_${padded(at + 1)}`,
};

type Kind = keyof typeof MAKERS;

const padded = (at: number): string => String(at).padStart(4, '0');

/** Numbers in each area that are reserved for fiction: 555-0100 to 555-0199. */
const PER_AREA = 100;

/** The area codes of North America: three digits, the first from 2, the second up to 8, and not ending with 11. */
const AREAS = Array.from({ length: 800 }, (_, at) => String(200 + at)).filter(
  (code) => !/^.9|11$/.test(code),
);

const phone = (at: number): string => {
  // After some 70,000 phones, those of the next exchange follow, which are valid but not reserved.
  const round = Math.floor(at / (AREAS.length * PER_AREA));
  const area = AREAS[Math.floor(at / PER_AREA) % AREAS.length] ?? '202';
  return `+1${area}${555 + round}0${100 + (at % PER_AREA)}`;
};

/** The fields of requests and responses whose values are personal, or are written by people. */
const PERSONAL: ReadonlyMap<string, Kind> = new Map([
  ['phone', 'phone'],
  ['displayName', 'person'],
  ['email', 'email'],
  ...['notes', 'content', 'userMessage', 'text', 'description'].map((field) => [field, 'text'] as const),
  // The message of an error response often quotes the request.
  ['error', 'text'],
]);

/** The codes of responses of the API that are kept. Any other text may name a person. */
const CODES: readonly string[] = [
  'API_KEY_REQUIRED',
  'API_KEY_INVALID',
  'SCOPE_REQUIRED',
  'RATE_LIMIT_EXCEEDED',
  'INVALID_PARAMETERS',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'HTTPS_REQUIRED',
  'PAYLOAD_TOO_LARGE',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
] satisfies readonly (NamedCode | ChosenCode)[];

/** The words that are kept: those that the contract lists, or uses in its examples. Any other may name a person. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  // Two resources have a status of their own.
  status: [...ConversationStatusSchema.options, ...LeadStatusSchema.options],
  direction: MessageDirectionSchema.options,
  priority: ConversationPrioritySchema.options,
  senderType: SenderTypeSchema.options,
  source: ['api', 'website'],
  channel: ['live_chat', 'messaging', 'email'],
  messageType: ['text'],
};

/** A number with this many digits may be a phone number. */
const MIN_PHONE_NUMBER = 10_000_000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes the values of a recording, so that it can be shared. */
export interface Cleaner {
  /** A JSON value with the fields of its schema only, and clean values in them. */
  value(value: unknown, schema: Schema): unknown;
  /** The code of an error if the mock knows it; otherwise a stand-in. */
  code(text: string): string;
}

interface CleanerOptions {
  /** Removes the keys. */
  readonly redact: (text: string) => string;
  readonly keepPersonalData: boolean;
}

/**
 * Creates a {@link Cleaner}. It keeps what the contract describes, and nothing that it does not. Equal values get the same
 * stand-in, different ones get different stand-ins.
 */
export const createCleaner = ({ redact, keepPersonalData }: CleanerOptions): Cleaner => {
  const given = new Map<string, string>();
  const next: Record<Kind, number> = { phone: 0, person: 0, email: 0, text: 0, word: 0, code: 0 };
  const standIn = (kind: Kind, value: string): string => {
    // The empty string says nothing.
    if (value === '') {
      return value;
    }
    // A phone that is written in two ways is one phone.
    const key = `${kind} ${kind === 'phone' ? (normalizePhone(value) ?? value) : value}`;
    const made = given.get(key) ?? MAKERS[kind](next[kind]++);
    given.set(key, made);
    return made;
  };
  const clean = (kind: Kind, value: string, isKept = false): string => {
    if (keepPersonalData) {
      return redact(value);
    }
    return isKept && redact(value) === value ? value : standIn(kind, value);
  };

  /** A value of the wrong type keeps the type, which is what drifted, and nothing else. */
  const leaf = (value: unknown, schema: Schema, field: string): unknown => {
    const isValid = z.safeParse(schema, value).success;
    if (typeof value === 'string') {
      const isKnown = schema === IdSchema || schema === DateTimeSchema || WORDS[field]?.includes(value);
      return clean(PERSONAL.get(field) ?? (isValid ? 'word' : 'text'), value, isValid && isKnown);
    }
    if (typeof value === 'number') {
      return isValid && Math.abs(value) < MIN_PHONE_NUMBER ? value : 0;
    }
    return Array.isArray(value) ? [] : isObject(value) ? {} : value;
  };

  const cleaned = (value: unknown, schema: Schema, field: string): unknown => {
    if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
      return value === null ? null : cleaned(value, schema.def.innerType, field);
    }
    if (schema instanceof z.ZodMiniObject && isObject(value)) {
      const known = Object.entries(schema.shape).filter(([name]) => Object.hasOwn(value, name));
      return Object.fromEntries(known.map(([name, inner]) => [name, cleaned(value[name], inner, name)]));
    }
    if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
      return value.map((item) => cleaned(item, schema.def.element, field));
    }
    return leaf(value, schema, field);
  };

  return {
    value: (value, schema) => cleaned(value, schema, ''),
    code: (text) => clean('code', text, CODES.includes(text)),
  };
};
