import openapi from '@confab/client/openapi.json' with { type: 'json' };
import * as z from 'zod/mini';
import { FaultPlanSchema } from '../faults/fault.ts';
import {
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../store/rows.ts';
import type { MockData } from '../store/store.ts';

interface List {
  readonly description: string;
  /** A row as it is checked when it is stored, after its missing fields got their defaults. */
  readonly row: z.ZodMiniObject;
  /** The name of the row in the API's document, which describes its fields. */
  readonly component?: string;
  /** The meaning of the fields that the API does not have. */
  readonly fields?: Readonly<Record<string, string>>;
}

const { conversationId } = StoredMessageSchema.shape;

const LISTS: Readonly<Record<keyof MockData, List>> = {
  pipelines: {
    description: 'The first one is the pipeline of leads and conversations that name none.',
    row: z.partial(PipelineSchema),
    fields: {
      id: 'The id of the pipeline, a UUID.',
      name: 'The name of the pipeline.',
      createdAt: 'When the pipeline was created, as an RFC 3339 date-time.',
    },
  },
  agents: { description: 'Agents to invoke.', row: z.partial(StoredAgentSchema), component: 'Agent' },
  leads: {
    description: 'Leads, with their notes.',
    row: z.partial(StoredLeadSchema),
    component: 'Lead',
    fields: { notes: 'The notes on the lead; `null` if there are none.' },
  },
  conversations: {
    description: 'Conversations, with or without a lead.',
    row: z.partial(StoredConversationSchema),
    component: 'Conversation',
  },
  messages: {
    description: 'Messages of these conversations.',
    row: z.extend(z.partial(StoredMessageSchema), { conversationId }),
    component: 'Message',
  },
};

interface Json {
  readonly description?: string;
  readonly [name: string]: unknown;
}

interface ObjectJson extends Json {
  readonly properties?: Readonly<Record<string, Json>>;
}

interface Components {
  readonly schemas: Readonly<Record<string, ObjectJson>>;
}

/** A schema inside another, which does not say again what dialect it is in. */
const plain = ({ $schema: _, ...json }: { readonly $schema?: unknown }): Json => json;

/** The description of a field in the API's document. */
const documented = ({ schemas }: Components, component: string, field: string): unknown =>
  schemas[component]?.properties?.[field]?.description;

const rowSchema = ({ row, component = '', fields: own = {} }: List, api: Components): Json => {
  // The input side: a date-time is stored in another form than it may be written in.
  const json = plain(z.toJSONSchema(row, { io: 'input', unrepresentable: 'any' }));
  const fields = Object.entries((json as unknown as ObjectJson).properties ?? {}).map(([name, field]) => {
    const description = own[name] ?? documented(api, component, name);
    return [name, { description, ...field }];
  });
  return { ...json, properties: Object.fromEntries(fields) };
};

/** The JSON Schema of a file for `--data`, for editors. It is made from the schemas that check the rows. */
export const dataSchema = (): Json => {
  const api: Components = openapi.components;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Data of @confab/mock',
    description: 'Rows for a mock to start with. Fields that a row leaves out get a default.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string', description: 'The schema of this file, for editors.' },
      ...Object.fromEntries(
        Object.entries(LISTS).map(([name, list]) => [
          name,
          { description: list.description, type: 'array', items: rowSchema(list, api) },
        ]),
      ),
      faults: {
        description: 'Faults that are planned at the start, in this order.',
        type: 'array',
        items: plain(z.toJSONSchema(FaultPlanSchema, { io: 'input' })),
      },
    },
  };
};
