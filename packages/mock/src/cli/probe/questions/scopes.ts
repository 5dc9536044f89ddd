import { operations } from '@confab/client/contract';
import type { Finding, Question } from '../finding.ts';
import { learned, unknown } from '../finding.ts';

/** Reads the scopes that the 403s so far have named. */
export const scopes: Question = {
  topic: 'scopes',
  async ask(service): Promise<readonly Finding[]> {
    const asked = new Set(service.replies.map(({ operation }) => operation));
    const named = [...asked].map((operation) => {
      const found = service.replies
        .filter((reply) => reply.operation === operation)
        .flatMap(({ scope }) => scope ?? []);
      return { operation, scopes: [...new Set(found)].filter((scope) => service.isHarmless(scope)) };
    });
    const open = named.filter(({ scopes: each }) => each.length !== 1).map(({ operation }) => operation);
    return [
      ...named.flatMap(({ operation, scopes: [scope, another] }) =>
        scope === undefined || another !== undefined
          ? []
          : [learned(`Scope of ${operation}`, ['scopes', operation], scope, operations[operation].scope)],
      ),
      ...(open.length === 0
        ? []
        : [
            unknown(
              `Scopes of ${open.join(', ')}`,
              'only a 403 names the missing scope',
              'Run the probe again with a key that has no scopes.',
            ),
          ]),
    ];
  },
};
