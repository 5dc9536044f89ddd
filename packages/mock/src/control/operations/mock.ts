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
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { ClockSchema, described, NowSchema } from '../schemas.ts';
import { nowOf } from './clock.ts';

/** What concerns the mock as a whole. */
export const mock: readonly ControlOperation[] = [
  controlOperation('info', {
    summary: 'Returns what a client of the mock needs: its base URL, its key and its clock.',
    data: z.strictObject({ baseUrl: z.string(), apiKey: z.string(), clock: ClockSchema }),
    run: (context, { baseUrl }) => ({
      baseUrl,
      apiKey: context.apiKey,
      clock: { ...nowOf(context), kind: context.world.clock.kind },
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
    run: (context) => context.mock.dump(),
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
    run: (context, { body }) => context.mock.inbound(body as Inbound),
  }),
  controlOperation('reset', {
    summary: 'Restores the state from when the server started.',
    data: NowSchema,
    run(context) {
      context.mock.restore(context.start);
      return nowOf(context);
    },
  }),
];
