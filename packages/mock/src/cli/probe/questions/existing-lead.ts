import type { Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';

const QUESTION = 'A lead with the phone of another lead';

/** Creates a lead, and tries to create it again, twice for the code of the 409. */
export const existingLead: Question = {
  topic: 'leads that exist already',
  writes: true,
  async ask(service) {
    const body = service.newLead();
    const first = await service.write('leads.create', { body });
    if (first.body === undefined) {
      return [unanswered(QUESTION, first)];
    }
    const second = await service.write('leads.create', { body });
    if (second.status === 409) {
      await service.write('leads.create', { body });
      return [{ ...learned(QUESTION, ['behavior'], '409', '409'), options: {}, option: 'none needed' }];
    }
    return [
      second.body === undefined
        ? unanswered(QUESTION, second)
        : unknown(
            QUESTION,
            'the service created a second lead',
            'Nothing: the documentation promises a 409, and the mock has no option for another response.',
          ),
    ];
  },
};
