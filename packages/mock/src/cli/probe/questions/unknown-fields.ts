import type { Question } from '../question.ts';
import { reactionTo } from '../reaction.ts';

/** A name that no service has. */
const NAME = 'confabProbe';

const accepted = (): string => 'ignored';

/** Adds an unknown parameter to three operations. The answer is one only if all of them do the same with it. */
const unknownQuery: Question = {
  text: 'Unknown query parameters',
  option: ['behavior', 'input', 'unknownQuery'],
  ask(service) {
    const lists = ['leads.list', 'conversations.list', 'agents.list'] as const;
    const input = { query: { [NAME]: 1 } };
    const requests = lists.map((operation) => ({
      name: `the unknown parameter of ${operation}`,
      operation,
      input,
      accepted,
    }));
    return reactionTo(service, requests);
  },
};

/** Creates a lead with an unknown field. */
const unknownBody: Question = {
  text: 'Unknown fields in a body',
  option: ['behavior', 'input', 'unknownBody'],
  writes: true,
  ask(service) {
    const input = { body: { ...service.newLead(), [NAME]: true } };
    return reactionTo(service, [
      { name: 'the unknown field of leads.create', operation: 'leads.create', input, accepted },
    ]);
  },
};

export const unknownFields = [unknownQuery, unknownBody];
