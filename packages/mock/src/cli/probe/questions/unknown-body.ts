import type { Question } from '../finding.ts';
import { learned, unanswered } from '../finding.ts';
import { UNKNOWN_NAME } from './unknown-query.ts';

const QUESTION = 'Fields that a body does not have';

/** Creates a lead with an unknown field. */
export const unknownBody: Question = {
  topic: 'unknown fields of bodies',
  writes: true,
  async ask(service) {
    const reply = await service.write('leads.create', {
      body: { ...service.newLead(), [UNKNOWN_NAME]: true },
    });
    return [
      reply.status !== 400 && reply.body === undefined
        ? unanswered(QUESTION, reply)
        : learned(
            QUESTION,
            ['behavior', 'input', 'unknownBody'],
            reply.status === 400 ? 'refused' : 'ignored',
          ),
    ];
  },
};
