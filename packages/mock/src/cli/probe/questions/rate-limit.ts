import { demand } from '../evidence.ts';
import type { Question } from '../question.ts';
import { limitIn } from '../reply.ts';
import type { Service } from '../service.ts';

/** The one limit that responses have named. */
const limitOf = ({ replies }: Service): number => {
  const [limit, ...others] = new Set(replies.flatMap(({ headers }) => limitIn(headers) ?? []));
  const remedy = 'Look it up where the key was created.';
  demand(limit !== undefined, 'no response named it', remedy);
  demand(others.length === 0, 'responses named different limits', remedy);
  return limit;
};

const limit: Question = {
  text: 'Rate limit of the key',
  option: ['rateLimit'],
  preset: { requests: 600, perMs: 60_000 },
  ask: async (service) => ({ requests: limitOf(service), perMs: 60_000 }),
};

/** Reads the headers of all responses so far. The service counts a request once it knows the key, so a 401 has none. */
const headers: Question = {
  text: 'Rate-limit headers on responses other than 429',
  option: ['rateLimit', 'headers'],
  preset: 'refused',
  async ask(service) {
    const admitted = service.replies.filter(({ status, withKey }) => withKey && ![401, 429].includes(status));
    const missing = [200, 400, 404].find((status) => !admitted.some((reply) => reply.status === status));
    demand(
      missing === undefined,
      `no request led to a ${missing}, which may differ from other responses`,
      'Run the probe again with a higher --max-requests.',
    );
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining'];
    if (!admitted.some((reply) => names.some((name) => reply.headers.has(name)))) {
      return undefined;
    }
    const complete = admitted.filter((reply) => limitIn(reply.headers) !== undefined);
    demand(
      complete.length === admitted.length,
      `${complete.length} of ${admitted.length} responses had both headers`,
      'No option covers this: the mock sends them with all responses, or only with a 429.',
    );
    // The option needs a limit.
    limitOf(service);
    return 'always';
  },
};

export const rateLimit = [limit, headers];
