import type { Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';

const QUESTION = 'Source of a lead without one';

/** Creates a lead without a source, and reads the one that it got. */
export const defaultSource: Question = {
  topic: 'default source',
  writes: true,
  async ask(service) {
    const { source: _, ...body } = service.newLead();
    const reply = await service.write('leads.create', { body });
    if (reply.body === undefined) {
      return [unanswered(QUESTION, reply)];
    }
    const { source } = reply.body.data;
    return [
      service.isHarmless(source)
        ? learned(QUESTION, ['behavior', 'source'], source)
        : unknown(
            QUESTION,
            'it is no plain word, or contains a value of the account',
            'Set the option by hand.',
          ),
    ];
  },
};
