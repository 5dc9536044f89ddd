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
import { isKnownCode } from './known-codes.ts';
import type { PersonalValues } from './personal-values.ts';
import { kindOf } from './personal-values.ts';
import { StandIns } from './stand-ins.ts';

type Schema = z.core.$ZodType;

/** Changes the values of a recording, so that it can be shared. */
export interface Cleaner {
  /** A JSON value with the fields of its schema only, and clean values in them. */
  value(value: unknown, schema: Schema): unknown;
  /** The code of an error if the contract or the mock has it, and nothing personal is in it; otherwise a stand-in. */
  code(text: string): string;
}

interface CleanerOptions {
  readonly personal: PersonalValues;
  /** Removes the keys. */
  readonly redact: (text: string) => string;
  readonly keepPersonalData: boolean;
}

/** The fields whose values the contract lists. */
const ENUMS: Readonly<Record<string, { readonly options: readonly string[] }>> = {
  direction: MessageDirectionSchema,
  priority: ConversationPrioritySchema,
  senderType: SenderTypeSchema,
};

/** Two resources have a status of their own. */
const STATUSES: readonly string[] = [...ConversationStatusSchema.options, ...LeadStatusSchema.options];

/** The fields that name a kind, with the words that the contract uses in its examples. Any other may name a person. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  source: ['api', 'website'],
  channel: ['live_chat', 'messaging', 'email'],
  messageType: ['text'],
};

const isListed = (field: string, value: string): boolean =>
  (field === 'status' ? STATUSES : (ENUMS[field]?.options ?? EXAMPLES[field] ?? [])).includes(value);

/** A number with as many digits may be a phone. */
const LARGE = 10_000_000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumberClean = (value: number): boolean => Math.abs(value) < LARGE;

/** Creates a {@link Cleaner}. It keeps what the contract describes, and nothing that it does not. */
export const createCleaner = ({ personal, redact, keepPersonalData }: CleanerOptions): Cleaner => {
  const standIns = new StandIns(personal);
  const hasKey = (text: string): boolean => redact(text) !== text;

  const code = (text: string): string => {
    if (keepPersonalData) {
      return redact(text);
    }
    const isKept = isKnownCode(text) && !hasKey(text) && personal.isHarmless(text);
    return isKept ? text : standIns.of('code', text);
  };

  /** A value of the wrong type keeps the type, which is what drifted, and nothing else. */
  const emptied = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return keepPersonalData ? redact(value) : standIns.of('text', value);
    }
    if (typeof value === 'number') {
      return 0;
    }
    return Array.isArray(value) ? [] : isObject(value) ? {} : value;
  };

  const leaf = (value: unknown, schema: Schema, field: string): unknown => {
    const kind = kindOf(field);
    if (typeof value === 'string' && kind !== undefined) {
      return keepPersonalData ? redact(value) : standIns.of(kind, value);
    }
    if (!z.safeParse(schema, value).success) {
      return emptied(value);
    }
    if (typeof value === 'number') {
      return isNumberClean(value) ? value : 0;
    }
    if (typeof value !== 'string') {
      return emptied(value);
    }
    if (keepPersonalData) {
      return redact(value);
    }
    const isFact = schema === IdSchema || schema === DateTimeSchema || isListed(field, value);
    return isFact && !hasKey(value) ? value : standIns.of('word', value);
  };

  const clean = (value: unknown, schema: Schema, field: string): unknown => {
    if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
      return value === null ? null : clean(value, schema.def.innerType, field);
    }
    if (schema instanceof z.ZodMiniObject && isObject(value)) {
      const known = Object.entries(schema.shape).filter(([name]) => Object.hasOwn(value, name));
      return Object.fromEntries(known.map(([name, inner]) => [name, clean(value[name], inner, name)]));
    }
    if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
      return value.map((item) => clean(item, schema.def.element, field));
    }
    const isStructure = schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniArray;
    return isStructure ? emptied(value) : leaf(value, schema, field);
  };

  return { value: (value, schema) => clean(value, schema, ''), code };
};
