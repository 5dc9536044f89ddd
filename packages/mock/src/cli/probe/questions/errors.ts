import type { ErrorEnvelope, OperationId } from '@confab/client/contract';
import { onlyValue } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { ProbeInput, Service } from '../service.ts';
import { bodyOf, MISSING_IDS, PROBE } from '../service.ts';

/** An error that an operation can be led to, and how. */
interface Provoked {
  readonly operation: OperationId;
  readonly status: 400 | 404 | 409;
  readonly inputs: (service: Service) => readonly ProbeInput[];
}

const missing = (operation: OperationId, body?: ProbeInput['body']): Provoked => ({
  operation,
  status: 404,
  inputs: () => MISSING_IDS.map((id) => ({ id, body })),
});

const invalid = (operation: OperationId, ...inputs: readonly ProbeInput[]): Provoked => ({
  operation,
  status: 400,
  inputs: () => inputs,
});

const NO_PHONE = { body: { displayName: PROBE, source: PROBE } };

/** The writes change nothing: their row does not exist, their lead does, or their body lacks a field. */
export const ERRORS: readonly Provoked[] = [
  missing('leads.get'),
  missing('conversations.get'),
  invalid('leads.list', { query: { limit: 0 } }, { query: { limit: -1 } }),
  invalid('conversations.list', { query: { limit: 0 } }, { query: { limit: -1 } }),
  // Earlier questions, about out-of-range numbers and the order of checks, have already caused this error.
  invalid('conversations.get'),
  invalid('analytics.funnel', { query: { from: PROBE } }, { query: { to: PROBE } }),
  invalid('leads.create', NO_PHONE, NO_PHONE),
  // The first one creates the lead.
  {
    operation: 'leads.create',
    status: 409,
    inputs: (service) => Array(3).fill({ body: service.newLead() }),
  },
  missing('leads.update', { status: 'new' }),
  missing('conversations.sendMessage', { content: PROBE }),
  missing('agents.invoke', { userMessage: PROBE }),
];

/** The errors of an operation so far; `undefined` for one that differs from the contract. */
const errorsOf = (service: Service, operation: OperationId, status: number): (ErrorEnvelope | undefined)[] =>
  service.replies
    .filter((reply) => reply.operation === operation && reply.status === status)
    .map(({ error }) => error);

/** Leads an operation to an error, and reads the codes of all such errors so far. */
export const codeOf =
  ({ operation, status, inputs }: Provoked) =>
  async (service: Service): Promise<string> => {
    for (const input of inputs(service)) {
      const reply = await service.ask(operation, input);
      if (reply.status !== status) {
        bodyOf(reply);
      }
    }
    const codes = errorsOf(service, operation, status).map((error) => error?.code ?? '');
    const code = onlyValue(
      // Some services put an id into the code.
      codes.length > 1 ? codes : [],
      'fewer than two responses had it, and it may change with each request',
      'No action is needed if the service never refuses such a request.',
    );
    return requireHarmless(code, service);
  };

const SCOPE = /\b(?:read|write):[a-z][a-z0-9_-]*/;

/** Reads the scope that the 403s so far have named. */
export const scopeOf = (operation: OperationId) => async (service: Service) => {
  service.checkAllowed(operation);
  const scopes = errorsOf(service, operation, 403).flatMap((error) => SCOPE.exec(error?.error ?? '') ?? []);
  const remedy = 'Run the probe again with a key that has no scopes.';
  return requireHarmless(onlyValue(scopes, 'only a 403 names the missing scope', remedy), service);
};
