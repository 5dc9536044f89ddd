import { LeadSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { Inbound } from '../../world/inbound.ts';
import {
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../../world/store/rows.ts';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperation } from '../control-operation.ts';
import { ClockSchema, described, MomentSchema } from '../schemas.ts';

/** What concerns the mock as a whole. */
export const whole: readonly ControlOperation[] = [
  controlOperation('info', {
    summary: 'Returns what a client of the mock needs: its base URL, its key and its clock.',
    data: z.strictObject({ baseUrl: z.string(), apiKey: z.string(), clock: ClockSchema }),
    run: ({ mock, world, apiKey }, { baseUrl }) => ({
      data: {
        baseUrl,
        apiKey,
        clock: { now: new Date(mock.clock.now()).toISOString(), kind: world.clock.kind },
      },
    }),
  }),
  controlOperation('state', {
    summary: 'Returns all rows.',
    data: z.strictObject({
      pipelines: z.array(PipelineSchema),
      agents: z.array(StoredAgentSchema),
      leads: z.array(StoredLeadSchema),
      conversations: z.array(StoredConversationSchema),
      messages: z.array(StoredMessageSchema),
    }),
    run: ({ mock }) => ({ data: mock.dump() }),
  }),
  controlOperation('inbound', {
    summary: 'Simulates a message from a lead, and emits its event.',
    body: z.strictObject({
      phone: described(z.optional(z.string()), 'The phone of the lead, who is created if need be.'),
      conversationId: described(z.optional(z.string()), 'The conversation, instead of the phone.'),
      channel: z.optional(z.string()),
      body: described(z.string(), 'The text of the message.'),
    }),
    data: z.strictObject({
      lead: LeadSchema,
      conversation: StoredConversationSchema,
      message: StoredMessageSchema,
    }),
    run: async ({ mock }, { body }) => ({ data: await mock.inbound(body as Inbound) }),
  }),
  controlOperation('reset', {
    summary: 'Restores the state from when the server started.',
    data: MomentSchema,
    run({ mock, start }) {
      mock.restore(start);
      return { data: { now: new Date(mock.clock.now()).toISOString() } };
    },
  }),
];
