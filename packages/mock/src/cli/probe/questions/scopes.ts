import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { demand } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { Question } from '../question.ts';

/** Reads the scopes that the 403s so far have named. */
export const scopes = (Object.keys(operations) as OperationId[]).map(
  (operation): Question => ({
    text: `Scope of ${operation}`,
    option: ['scopes', operation],
    preset: operations[operation].scope,
    writes: operations[operation].method !== 'GET',
    async ask(service) {
      const named = service.replies
        .filter((reply) => reply.operation === operation && reply.status === 403)
        .flatMap(({ error }) => /\b(?:read|write):[a-z][a-z0-9_-]*/.exec(error?.error ?? '') ?? []);
      const [scope, ...others] = new Set(named);
      demand(
        scope !== undefined && others.length === 0,
        'only a 403 names the missing scope',
        'Run the probe again with a key that has no scopes.',
      );
      return requireHarmless(scope, service);
    },
  }),
);
