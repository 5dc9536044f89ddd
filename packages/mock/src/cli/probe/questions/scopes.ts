import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import type { Finding, Question } from '../finding.ts';
import { learned } from '../finding.ts';

/** Reads the scopes that the 403s so far have named. */
export const scopes: Question = {
  name: 'Scopes',
  async ask(service): Promise<readonly Finding[]> {
    const named = new Map<OperationId, Set<string>>();
    for (const { operation, scope } of service.replies) {
      const found = named.get(operation) ?? new Set();
      named.set(operation, scope !== undefined && service.isHarmless(scope) ? found.add(scope) : found);
    }
    const findings: Finding[] = [];
    const open: OperationId[] = [];
    for (const [operation, [scope, another]] of named) {
      if (scope === undefined || another !== undefined) {
        open.push(operation);
      } else {
        findings.push(
          learned(`Scope of ${operation}`, ['scopes', operation], scope, operations[operation].scope),
        );
      }
    }
    if (open.length > 0) {
      findings.push({
        question: `Scopes of ${open.join(', ')}`,
        reason: 'only a 403 names the missing scope',
        settle: 'Run the probe again with a key that has no scopes.',
      });
    }
    return findings;
  },
};
