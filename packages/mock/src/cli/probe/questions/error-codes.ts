import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { ProbeInput, Service } from '../service.ts';
import { bodyOf, PROBE } from '../service.ts';

const DEFAULTS = { 400: 'INVALID_PARAMETERS', 404: 'NOT_FOUND', 409: 'ALREADY_EXISTS' };

type Inputs = (service: Service) => readonly ProbeInput[];

/** Two rows that do not exist. */
const nobody =
  (body?: ProbeInput['body']): Inputs =>
  (service) => [
    { id: service.nobody, body },
    { id: service.another, body },
  ];

const beyond: Inputs = () => [{ query: { limit: 0 } }, { query: { limit: -1 } }];

const noDates: Inputs = () => [{ query: { from: PROBE } }, { query: { to: PROBE } }];

const withoutPhone: Inputs = () => Array(2).fill({ body: { displayName: PROBE, source: PROBE } });

/** The first creates it. */
const sameLead: Inputs = (service) => Array(3).fill({ body: service.newLead() });

/** Whatever earlier questions led to. */
const nothing: Inputs = () => [];

/** The writes change nothing: their row does not exist, their lead does, or their body lacks a field. */
const ROWS: readonly (readonly [OperationId, keyof typeof DEFAULTS, Inputs])[] = [
  ['leads.get', 404, nobody()],
  ['conversations.get', 404, nobody()],
  ['leads.list', 400, beyond],
  ['conversations.list', 400, beyond],
  ['conversations.get', 400, nothing],
  ['analytics.funnel', 400, noDates],
  ['leads.create', 400, withoutPhone],
  ['leads.create', 409, sameLead],
  ['leads.update', 404, nobody({ status: 'new' })],
  ['conversations.sendMessage', 404, nobody({ content: PROBE })],
  ['agents.invoke', 404, nobody({ userMessage: PROBE })],
];

/** Leads each operation to an error, and reads the codes of all that it has responded with. */
export const errorCodes = ROWS.map(([operation, status, inputs]) =>
  rule({
    question: `Code of ${status} of ${operation}`,
    path: ['behavior', 'codes', operation, String(status)],
    preset: DEFAULTS[status],
    writes: operations[operation].method !== 'GET',
    async ask(service) {
      for (const input of inputs(service)) {
        const reply = await service.ask(operation, input);
        if (reply.status !== status) {
          bodyOf(reply);
        }
      }
      const replies = service.replies.filter(
        (each) => each.operation === operation && each.status === status,
      );
      // Some services put an id into the code.
      if (replies.length < 2) {
        throw new NoAnswer(
          'fewer than two responses had it, and it may change with each request',
          'Nothing, if the service refuses no such request.',
        );
      }
      const [code = '', another] = new Set(replies.map((reply) => reply.code));
      if (another !== undefined) {
        throw new NoAnswer('it is not always the same', "Ask the service's team what it depends on.");
      }
      return service.harmless(code);
    },
  }),
);
