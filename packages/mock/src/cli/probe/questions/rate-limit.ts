import type { Finding, Question } from '../finding.ts';
import { learned, unknown } from '../finding.ts';

const HEADERS = 'Rate-limit headers on other responses than 429';
const LIMIT = 'Rate limit of the key';

const MINUTE = 60_000;

/** Reads the headers of all responses so far. The service counts a request once it knows the key, so a 401 has none. */
export const rateLimit: Question = {
  topic: 'rate-limit headers',
  async ask({ replies }): Promise<readonly Finding[]> {
    const admitted = replies.filter(
      ({ status, withKey }) => withKey && status !== undefined && status !== 401 && status !== 429,
    );
    const withHeaders = admitted.filter((reply) => reply.rateLimit !== undefined);
    const limits = new Set(replies.flatMap((reply) => reply.rateLimit?.limit ?? []));
    const [requests] = limits;
    const caps: Finding =
      requests === undefined || limits.size > 1
        ? unknown(
            LIMIT,
            requests === undefined ? 'no response named it' : 'responses named different limits',
            'Look it up where the key was created.',
          )
        : {
            ...learned(LIMIT, ['rateLimit'], { requests, perMs: MINUTE }),
            service: `${requests} per minute`,
            mock: '600 per minute',
          };
    const missing = [200, 400, 404].find((status) => !admitted.some((reply) => reply.status === status));
    if (missing !== undefined) {
      return [
        unknown(
          HEADERS,
          `no request led to a ${missing}, which may differ from other responses`,
          'Run the probe again with a higher --max-requests.',
        ),
        caps,
      ];
    }
    if (requests !== undefined && limits.size === 1 && withHeaders.length === admitted.length) {
      return [learned(HEADERS, ['rateLimit', 'headers'], 'always', 'refused'), caps];
    }
    return [
      admitted.some((reply) => reply.hasRateHeader)
        ? unknown(
            HEADERS,
            `${withHeaders.length} of ${admitted.length} responses had both headers`,
            'Nothing: the mock sends them with all responses, or only with a 429.',
          )
        : { ...learned(HEADERS, ['rateLimit', 'headers'], 'refused', 'refused'), options: {} },
      caps,
    ];
  },
};
