import { sameForAll } from '../evidence.ts';
import { rule } from '../finding.ts';
import type { Reply } from '../service.ts';
import { bodyOf } from '../service.ts';

/** A name that no service has. */
const NAME = 'confabProbe';

const reactionTo = (reply: Reply): string => {
  if (reply.status === 400) {
    return 'refused';
  }
  bodyOf(reply);
  return 'ignored';
};

/** Adds an unknown parameter to three operations. The answer is one only if all of them do the same with it. */
export const unknownQuery = rule({
  question: 'Query parameters that an operation does not have',
  path: ['behavior', 'input', 'unknownQuery'],
  async ask(service) {
    const seen: [string, string][] = [];
    for (const operation of ['leads.list', 'conversations.list', 'agents.list'] as const) {
      const reply = await service.ask(operation, { query: { [NAME]: 1 } });
      seen.push([reactionTo(reply), `that of ${operation}`]);
    }
    return sameForAll(seen);
  },
});

/** Creates a lead with an unknown field. */
export const unknownBody = rule({
  question: 'Fields that a body does not have',
  path: ['behavior', 'input', 'unknownBody'],
  writes: true,
  ask: async (service) =>
    reactionTo(await service.ask('leads.create', { body: { ...service.newLead(), [NAME]: true } })),
});
