import type { Message } from '@confab/client/contract';
import { MessageDirectionSchema, MessageSchema, SenderTypeSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { MockFields } from '../store/table.ts';
import { conversations } from './conversations.ts';
import { StoredDateTimeSchema, StoredIdSchema } from './fields.ts';
import type { Resource } from './resource.ts';

/** The fields of a new message: it needs a conversation, and everything else has a default. */
export type MessageInit = MockFields<Message> & Pick<Message, 'conversationId'>;

export const messages: Resource<Message, MessageInit> = {
  name: 'messages',
  noun: 'message',
  schema: z.strictObject({
    ...MessageSchema.shape,
    id: StoredIdSchema,
    conversationId: StoredIdSchema,
    createdAt: StoredDateTimeSchema,
  }),
  openEnums: { senderType: SenderTypeSchema, direction: MessageDirectionSchema },
  newestBy: 'createdAt',
  filters: ['conversationId'],
  references: { conversationId: { to: conversations, onDelete: 'delete', newestAt: 'lastMessageAt' } },
  columns: ['content', 'conversationId', 'createdAt', 'direction'],
  defaults: ({ conversationId, senderType = 'lead' }, { now }) => ({
    conversationId,
    senderType: 'lead',
    direction: senderType === 'lead' ? 'inbound' : 'outbound',
    messageType: 'text',
    content: null,
    createdAt: now(),
  }),
};
