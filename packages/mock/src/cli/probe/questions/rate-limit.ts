import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { Service } from '../service.ts';

const limitOf = ({ replies }: Service): number => {
  const [limit, another] = new Set(replies.flatMap((reply) => reply.limit ?? []));
  if (limit === undefined || another !== undefined) {
    throw new NoAnswer(
      limit === undefined ? 'no response named it' : 'responses named different limits',
      'Look it up where the key was created.',
    );
  }
  return limit;
};

/** Reads the headers of all responses so far. The service counts a request once it knows the key, so a 401 has none. */
export const rateLimit = [
  rule({
    question: 'Rate-limit headers on other responses than 429',
    path: ['rateLimit', 'headers'],
    preset: 'refused',
    async ask(service) {
      const admitted = service.replies.filter(
        ({ status, withKey }) => withKey && status !== 401 && status !== 429,
      );
      const missing = [200, 400, 404].find((status) => !admitted.some((reply) => reply.status === status));
      if (missing !== undefined) {
        throw new NoAnswer(
          `no request led to a ${missing}, which may differ from other responses`,
          'Run the probe again with a higher --max-requests.',
        );
      }
      if (!admitted.some(({ hasRateHeader }) => hasRateHeader)) {
        return undefined;
      }
      const complete = admitted.filter(({ limit }) => limit !== undefined);
      if (complete.length < admitted.length) {
        throw new NoAnswer(
          `${complete.length} of ${admitted.length} responses had both headers`,
          'Nothing: the mock sends them with all responses, or only with a 429.',
        );
      }
      // The option needs a limit.
      limitOf(service);
      return 'always';
    },
  }),
  rule({
    question: 'Rate limit of the key',
    path: ['rateLimit'],
    preset: { requests: 600, perMs: 60_000 },
    ask: async (service) => ({ requests: limitOf(service), perMs: 60_000 }),
  }),
];
