import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';

const QUESTION = 'Query parameters that an operation does not have';

/** A name that no service has. */
export const UNKNOWN_NAME = 'confabProbe';

/** Adds an unknown parameter to three operations. The answer is one only if all of them do the same with it. */
export const unknownQuery: Question = {
  topic: 'unknown query parameters',
  async ask(service): Promise<readonly Finding[]> {
    const seen = new Set<string>();
    for (const operation of ['leads.list', 'conversations.list', 'agents.list'] as const) {
      const reply = await service.read(operation, { query: { [UNKNOWN_NAME]: 1 } });
      if (reply.status !== 400 && reply.body === undefined) {
        return [unanswered(QUESTION, reply)];
      }
      seen.add(reply.status === 400 ? 'refused' : 'ignored');
    }
    const [found, another] = seen;
    return [
      another === undefined
        ? learned(QUESTION, ['behavior', 'input', 'unknownQuery'], found)
        : unknown(
            QUESTION,
            'some operations refuse one, and others ignore it',
            'Nothing: the mock does the same for all operations. Use `faults` for the one that differs.',
          ),
    ];
  },
};
