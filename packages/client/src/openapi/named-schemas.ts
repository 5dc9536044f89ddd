import * as z from 'zod/mini';
import type * as contract from '../contract/index.ts';
import {
  AgentInvokeSchema,
  AgentReplySchema,
  AgentSchema,
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
  DateTimeSchema,
  ErrorEnvelopeSchema,
  FunnelPeriodSchema,
  FunnelQuerySchema,
  FunnelSchema,
  IdSchema,
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  PaginationMetaSchema,
  SenderTypeSchema,
} from '../contract/index.ts';
import * as events from './events.ts';

type Contract = typeof contract;

/**
 * By name, and not as a namespace: for that one the bundler makes an object with a getter for each export, in the file
 * that this entry point shares with the client, where it costs every user 0.3 kB. The compiler misses a schema that is not here.
 */
const schemas = {
  AgentInvokeSchema,
  AgentReplySchema,
  AgentSchema,
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
  DateTimeSchema,
  ErrorEnvelopeSchema,
  FunnelPeriodSchema,
  FunnelQuerySchema,
  FunnelSchema,
  IdSchema,
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  PaginationMetaSchema,
  SenderTypeSchema,
} satisfies { [Name in Extract<keyof Contract, `${string}Schema`>]: Contract[Name] };

const exported = { ...schemas, ...events };
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
export type EnumName = NameOf<z.ZodMiniEnum>;

export type SchemaOf<Name extends ObjectName> = Exported[`${Name}Schema`];

const named = (): [name: string, schema: unknown][] =>
  Object.entries(exported).map(([name, schema]) => [name.replace(/Schema$/, ''), schema]);

/** Every object schema that the contract exports, and those of events. */
export const objectSchemas = new Map<ObjectName, z.ZodMiniObject>(
  named().flatMap(([name, schema]) =>
    schema instanceof z.ZodMiniObject ? [[name as ObjectName, schema]] : [],
  ),
);

/** Every enum that the contract exports. */
export const enumSchemas = new Map<EnumName, z.ZodMiniEnum>(
  named().flatMap(([name, schema]) => (schema instanceof z.ZodMiniEnum ? [[name as EnumName, schema]] : [])),
);

/** What the contract calls a schema. */
export const nameOf = (schema: unknown): ObjectName | undefined =>
  [...objectSchemas].find(([, known]) => known === schema)?.[0];
