import { LeadSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { Inbound } from '../../world/inbound.ts';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { ClockSchema, described, NowSchema, ROWS } from '../schemas.ts';
import { clockOf, nowOf } from './clock.ts';

/** What concerns the mock as a whole. */
export const mock: readonly ControlOperation[] = [
  controlOperation('info', {
    summary: 'Returns what a client of the mock needs: its base URL, its key and its clock.',
    data: z.strictObject({ baseUrl: z.string(), apiKey: z.string(), clock: ClockSchema }),
    run: (context, { baseUrl }) => ({ baseUrl, apiKey: context.apiKey, clock: clockOf(context) }),
  }),
  controlOperation('state', {
    summary: 'Returns all rows.',
    data: z.strictObject(Object.fromEntries(Object.entries(ROWS).map(([name, row]) => [name, z.array(row)]))),
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
      conversation: ROWS.conversations,
      message: ROWS.messages,
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
