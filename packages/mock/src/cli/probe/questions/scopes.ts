import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';

/** Reads the scopes that the 403s so far have named. */
export const scopes = (Object.keys(operations) as OperationId[]).map((operation) =>
  rule({
    question: `Scope of ${operation}`,
    path: ['scopes', operation],
    preset: operations[operation].scope,
    writes: operations[operation].method !== 'GET',
    async ask(service) {
      const named = service.replies.flatMap((reply) =>
        reply.operation === operation ? (reply.scope ?? []) : [],
      );
      const [scope, another] = new Set(named);
      if (scope === undefined || another !== undefined) {
        throw new NoAnswer(
          'only a 403 names the missing scope',
          'Run the probe again with a key that has no scopes.',
        );
      }
      return service.harmless(scope);
    },
  }),
);
