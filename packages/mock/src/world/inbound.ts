import type { Conversation, Lead, Message } from '@confab/client/contract';
import { optionProblem, suggestNameOrSynonym } from '@confab/internal';
import type { Checks } from '../errors/check.ts';
import { checkObject, isString, throwIfInvalid } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { StoredLead } from './resources/leads.ts';
import { toLead } from './resources/leads.ts';
import type { World } from './world.ts';
import { writeMessage } from './write-message.ts';

/** A message from a lead, for {@link Mock.inbound}. */
export interface Inbound {
  /** The lead's phone number. If no lead has it, one is created. Pass either this or `conversationId`. */
  readonly phone?: string | undefined;
  /** The conversation that the message belongs to. */
  readonly conversationId?: string | undefined;
  /**
   * The channel of the message. With `conversationId`, the conversation's channel is used instead.
   * @default 'live_chat'
   */
  readonly channel?: string | undefined;
  /** The text of the message. */
  readonly body: string;
}

/** The rows that a message from a lead belongs to, as the API returns them. */
export interface InboundResult {
  /** The lead who wrote it. */
  readonly lead: Lead;
  /** The conversation that it was added to. */
  readonly conversation: Conversation;
  /** The message. */
  readonly message: Message;
}

const CHECKS: Checks<Inbound> = {
  phone: isString,
  conversationId: isString,
  channel: isString,
  body: isString,
};

/** Returns the latest unresolved conversation of a lead on a channel. Creates what is missing. */
const findOrCreateConversation = ({ store, outbox }: World, phone: string, channel: string): Conversation => {
  const known = store.leads.table.findUnique(store.normalizePhone(phone) ?? '');
  const { id: leadId, pipelineId } = known ?? store.leads.create({ phone, source: channel });
  const ongoing = store.conversations
    .find({ leadId })
    .find((conversation) => conversation.channel === channel && conversation.status !== 'resolved');
  if (ongoing !== undefined) {
    return ongoing;
  }
  const conversation = store.conversations.create({ leadId, pipelineId, channel });
  outbox.emitIfNamed('newConversation', conversation);
  return conversation;
};

/** Returns the lead of a conversation. Creates one without a phone number if it is missing. */
const findOrCreateLead = (
  { store }: World,
  { id, leadId, channel, pipelineId }: Conversation,
): StoredLead => {
  const known = leadId === null ? undefined : store.leads.get(leadId);
  if (known !== undefined) {
    return known;
  }
  const lead = store.leads.create({ source: channel, pipelineId });
  store.conversations.update(id, { leadId: lead.id });
  return lead;
};

/**
 * Receives a message from a lead.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when neither or both of `phone` and `conversationId` are given, no
 * conversation has that id, a field is unknown, or a value is not a string.
 * @throws A {@link CollectionError} when the phone number is invalid.
 */
export const receiveInbound = (world: World, inbound: Inbound): InboundResult => {
  checkObject('inbound()', inbound, "{ phone: '+5511987654321', body: 'Hi' }");
  throwIfInvalid(
    optionProblem('inbound() field', inbound, CHECKS, {
      prefix: 'inbound.',
      required: ['body'],
      hint: suggestNameOrSynonym,
    }),
  );
  const { phone, conversationId, channel = 'live_chat', body } = inbound;
  const { conversations } = world.store;
  if ((phone === undefined) === (conversationId === undefined)) {
    throw invalidArgument(
      'inbound() must be called with either `phone` or `conversationId`: a conversation already has a lead.',
    );
  }
  const conversation =
    phone === undefined
      ? conversations.get(conversationId ?? '')
      : findOrCreateConversation(world, phone, channel);
  if (conversation === undefined) {
    throw invalidArgument(`inbound(): no conversation has the id ${conversationId}.`);
  }
  const { id } = conversation;
  const lead = findOrCreateLead(world, conversation);
  const message = writeMessage(world, conversation, {
    senderType: 'lead',
    direction: 'inbound',
    content: body,
  });
  return { lead: toLead(lead), conversation: conversations.get(id) ?? conversation, message };
};
