import { DateTimeSchema, IdSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import { CONTRACT_SCOPES } from '../../world/keys/keys.ts';
import { normalizePhone } from '../../world/store/phone.ts';
import { listedValues } from '../drift.ts';

type Schema = z.core.$ZodType;

/**
 * Makes the nth stand-in, counted from 1: a valid value that belongs to nobody. A digest of the value would not do, because
 * that of a phone number can be reversed.
 */
type Maker = (nth: number) => string;

const padded = (nth: number): string => String(nth).padStart(4, '0');

/** The numbers that are reserved for fiction, 555-0100 to 555-0199 in each area; after 80,000 of them, further ones. */
const phone: Maker = (nth) => {
  const index = nth - 1;
  const [area, exchange] = [200 + (Math.floor(index / 100) % 800), 555 + Math.floor(index / 80_000)];
  return `+1${area}${exchange}0${100 + (index % 100)}`;
};

const text: Maker = (nth) => `Text ${padded(nth)}`;

/** The fields of responses whose values are personal or were written by people. */
const PERSONAL: Readonly<Record<string, Maker>> = {
  phone,
  displayName: (nth) => `Person ${padded(nth)}`,
  email: (nth) => `person-${padded(nth)}@example.com`,
  content: text,
  description: text,
  text,
  // The message of an error response often quotes the request.
  error: text,
};

/** For all other fields, such as the source of a lead, by which programs filter. */
const word: Maker = (nth) => `word-${padded(nth)}`;

/** The words of the contract's examples and the codes of the mock are kept. Any other word may name a person. */
const WORDS = ['api', 'website', 'live_chat', 'messaging', 'email', 'text'];
const CODES = ['INVALID_PARAMETERS', 'NOT_FOUND', 'ALREADY_EXISTS', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

/** Whether a text is an id, a date, or a word that names no one. */
const isHarmless = (value: string, schema: Schema): boolean => {
  const listed = listedValues(schema);
  const schemas = listed instanceof z.ZodMiniEnum ? [listed] : [IdSchema, DateTimeSchema];
  const isWord = [...WORDS, ...CODES].includes(value);
  return isWord || schemas.some((each) => z.safeParse(each, value).success);
};

/** A number with this many digits may be a phone number. */
const MIN_PHONE_NUMBER = 10_000_000;

/**
 * Replaces the values of a recording, so that it can be shared. Returns a JSON value with only the fields of its schema. A
 * value of the wrong type is replaced with one of the same type, because that type is the drift to record.
 */
export type Cleaner = (value: unknown, schema: Schema) => unknown;

/**
 * Creates a {@link Cleaner}. Equal values get the same stand-in, different ones get different stand-ins.
 *
 * @param redact Removes the keys.
 */
export const createCleaner = (redact: (text: string) => string, keepPersonalData: boolean): Cleaner => {
  const standIns = new Map<Maker, Map<string, string>>();

  const standIn = (value: string, make: Maker): string => {
    const made = standIns.get(make) ?? new Map<string, string>();
    standIns.set(make, made);
    // A phone number in two formats is one number.
    const key = make === phone ? (normalizePhone(value) ?? value) : value;
    const chosen = made.get(key) ?? make(made.size + 1);
    made.set(key, chosen);
    // Clients read the name of the missing scope from the message of a 403.
    const scope = CONTRACT_SCOPES.find((each) => make === text && value.includes(each));
    return scope === undefined ? chosen : `${chosen} (${scope})`;
  };

  const cleanText = (value: string, schema: Schema, field: string): string => {
    const redacted = redact(value);
    if (keepPersonalData || value === '') {
      return redacted;
    }
    const make = PERSONAL[field] ?? word;
    const isKept = make === word && redacted === value && isHarmless(value, schema);
    return isKept ? value : standIn(value, make);
  };

  const cleaned = (value: unknown, schema: Schema, field = ''): unknown => {
    if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
      return cleaned(value, schema.def.innerType, field);
    }
    if (Array.isArray(value)) {
      return schema instanceof z.ZodMiniArray
        ? value.map((item) => cleaned(item, schema.def.element, field))
        : [];
    }
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(schema instanceof z.ZodMiniObject ? schema.shape : {});
      const known = fields.filter(([name]) => Object.hasOwn(value, name));
      return Object.fromEntries(
        known.map(([name, inner]) => [name, cleaned(Reflect.get(value, name), inner, name)]),
      );
    }
    if (typeof value === 'number') {
      return Math.abs(value) < MIN_PHONE_NUMBER && z.safeParse(schema, value).success ? value : 0;
    }
    return typeof value === 'string' ? cleanText(value, schema, field) : value;
  };
  return cleaned;
};
