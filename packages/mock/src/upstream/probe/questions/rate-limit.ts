import { assertEvidence, onlyValue } from '../evidence.ts';
import type { Service } from '../service.ts';
import { limitIn } from '../service.ts';

/** Finds the limit that the responses so far have named. */
const findLimit = ({ replies }: Service): number => {
  const limits = replies.flatMap(({ headers }) => limitIn(headers) ?? []);
  return onlyValue(limits, 'no response named it', 'Look it up where the key was created.');
};

export const rateLimit = async (service: Service) => ({ requests: findLimit(service), perMs: 60_000 });

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining'];

/** Reads the headers of the responses so far. A 401 has none, because the service counts a request once it knows the key. */
export const rateLimitHeaders = async (service: Service): Promise<'always' | undefined> => {
  const admitted = service.replies.filter(
    ({ status, withKey }) => withKey && status !== 401 && status !== 429,
  );
  const counts = admitted.map(({ headers }) => HEADERS.filter((name) => headers.has(name)).length);
  const isTelling = [200, 400, 404].every((status) => admitted.some((reply) => reply.status === status));
  const remedy = 'Run the probe again with a higher --max-requests.';
  const seen = isTelling ? counts : [];
  const count = onlyValue(seen, 'not every kind of response, from 200 to 404, was seen', remedy);
  if (count === 0) {
    return undefined;
  }
  assertEvidence(count > 1, 'responses have only one of them', 'No option covers this: the mock sends both.');
  // Throws if the limit is unknown, without which the option has no effect.
  findLimit(service);
  return 'always';
};
