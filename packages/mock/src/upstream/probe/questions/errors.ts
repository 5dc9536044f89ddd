import type { ErrorEnvelope, OperationId } from '@confab/client/contract';
import { onlyValue } from '../evidence.ts';
import { requireHarmless } from '../require-harmless.ts';
import type { ProbeInput, Service } from '../service.ts';
import { bodyOf, MISSING_IDS } from '../service.ts';
import { buildLead, PROBE } from './new-lead.ts';

/** Inputs with which an operation returns an error. */
type Provoked = readonly [operation: OperationId, status: 400 | 404 | 409, ...inputs: readonly ProbeInput[]];

/** Two rows that do not exist. */
const missing = (body?: ProbeInput['body']): ProbeInput[] => MISSING_IDS.map((id) => ({ id, body }));

const NO_ROWS = { query: { limit: '0' } };
const FEWER_ROWS = { query: { limit: '-1' } };
const NO_PHONE = { body: { displayName: PROBE, source: PROBE } };
const SAME_LEAD = { body: buildLead() };

/** The writes change nothing: their row does not exist, their lead exists already, or their body lacks a field. */
export const ERRORS: readonly Provoked[] = [
  ['leads.get', 404, ...missing()],
  ['conversations.get', 404, ...missing()],
  ['leads.list', 400, NO_ROWS, FEWER_ROWS],
  ['conversations.list', 400, NO_ROWS, FEWER_ROWS],
  // Earlier questions about out-of-range numbers and the order of checks have caused this error already.
  ['conversations.get', 400],
  ['analytics.funnel', 400, { query: { from: PROBE } }, { query: { to: PROBE } }],
  ['leads.create', 400, NO_PHONE, NO_PHONE],
  // The first of these creates the lead, and only the later ones get the 409.
  ['leads.create', 409, SAME_LEAD, SAME_LEAD, SAME_LEAD],
  ['leads.update', 404, ...missing({ status: 'new' })],
  ['conversations.sendMessage', 404, ...missing({ content: PROBE })],
  ['agents.invoke', 404, ...missing({ userMessage: PROBE })],
];

/** The errors of an operation so far; `undefined` for an error that differs from the contract. */
const errorsOf = (service: Service, operation: OperationId, status: number): (ErrorEnvelope | undefined)[] =>
  service.replies
    .filter((reply) => reply.operation === operation && reply.status === status)
    .map(({ error }) => error);

/** Provokes an error of an operation, and reads the codes of all such errors so far. */
export const findCode =
  (operation: OperationId, status: number, inputs: readonly ProbeInput[]) =>
  async (service: Service): Promise<string> => {
    for (const input of inputs) {
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
export const findScope = (operation: OperationId) => async (service: Service) => {
  service.checkAllowed(operation);
  const scopes = errorsOf(service, operation, 403).flatMap((error) => SCOPE.exec(error?.error ?? '') ?? []);
  const remedy = 'Run the probe again with a key that has no scopes.';
  return requireHarmless(onlyValue(scopes, 'only a 403 names the missing scope', remedy), service);
};
