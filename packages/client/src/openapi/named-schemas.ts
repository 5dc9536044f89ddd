import * as z from 'zod/mini';
import * as contract from '../contract/index.ts';
import type { ClosedEnum } from '../contract/schemas/fields.ts';
import * as events from './events.ts';

const exported = { ...contract, ...events };
type Exported = typeof exported;

/** The names of schemas of one kind, without `Schema`: `Lead` for `LeadSchema`. */
type NameOf<Kind> = {
  [Key in keyof Exported]: Exported[Key] extends Kind
    ? Key extends `${infer Name}Schema`
      ? Name
      : never
    : never;
}[keyof Exported];

/** `Lead`, `LeadCreate`, `LeadListQuery`, … */
export type ObjectName = NameOf<z.ZodMiniObject>;

/** `LeadStatus`, `SenderType`, … */
export type EnumName = NameOf<{ readonly options: readonly string[] }>;

export type SchemaOf<Name extends ObjectName> = Exported[`${Name}Schema`];

const named = (): [name: string, schema: unknown][] =>
  Object.entries(exported).map(([name, schema]) => [name.replace(/Schema$/, ''), schema]);

/** Every object schema that the contract exports, and those of events. */
export const objectSchemas = new Map<ObjectName, z.ZodMiniObject>(
  named().flatMap(([name, schema]) =>
    schema instanceof z.ZodMiniObject ? [[name as ObjectName, schema]] : [],
  ),
);

const isEnum = (schema: unknown): schema is ClosedEnum =>
  schema instanceof z.ZodMiniString && 'options' in schema;

/** Every enum that the contract exports. */
export const enumSchemas = new Map<EnumName, ClosedEnum>(
  named().flatMap(([name, schema]) => (isEnum(schema) ? [[name as EnumName, schema]] : [])),
);

/** What the contract calls a schema. */
export const nameOf = (schema: unknown): ObjectName | undefined =>
  [...objectSchemas].find(([, known]) => known === schema)?.[0];
