import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { demand } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { Question } from '../question.ts';
import { bodyOf } from '../reply.ts';
import type { ProbeInput, Service } from '../service.ts';
import { PROBE } from '../service.ts';

const PRESETS = { 400: 'INVALID_PARAMETERS', 404: 'NOT_FOUND', 409: 'ALREADY_EXISTS' };

type Inputs = (service: Service) => readonly ProbeInput[];

/** Two rows that do not exist. */
const noRow =
  (body?: ProbeInput['body']): Inputs =>
  ({ missingId, otherMissingId }) =>
    [missingId, otherMissingId].map((id) => ({ id, body }));

const outOfRange: Inputs = () => [{ query: { limit: 0 } }, { query: { limit: -1 } }];

/** The writes change nothing: their row does not exist, their lead does, or their body lacks a field. */
const ROWS: readonly (readonly [OperationId, keyof typeof PRESETS, Inputs])[] = [
  ['leads.get', 404, noRow()],
  ['conversations.get', 404, noRow()],
  ['leads.list', 400, outOfRange],
  ['conversations.list', 400, outOfRange],
  // Earlier questions, about out-of-range numbers and the order of checks, have already caused this error.
  ['conversations.get', 400, () => []],
  ['analytics.funnel', 400, () => [{ query: { from: PROBE } }, { query: { to: PROBE } }]],
  ['leads.create', 400, () => Array(2).fill({ body: { displayName: PROBE, source: PROBE } })],
  // The first one creates the lead.
  ['leads.create', 409, (service) => Array(3).fill({ body: service.newLead() })],
  ['leads.update', 404, noRow({ status: 'new' })],
  ['conversations.sendMessage', 404, noRow({ content: PROBE })],
  ['agents.invoke', 404, noRow({ userMessage: PROBE })],
];

/** Leads each operation to an error, and reads the codes of all that it has responded with. */
export const errorCodes = ROWS.map(
  ([operation, status, inputs]): Question => ({
    text: `Code of ${status} of ${operation}`,
    option: ['behavior', 'codes', operation, String(status)],
    preset: PRESETS[status],
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
      demand(
        replies.length > 1,
        'fewer than two responses had it, and it may change with each request',
        'No action is needed if the service never refuses such a request.',
      );
      const codes = new Set(replies.map(({ error }) => error?.code ?? ''));
      demand(codes.size === 1, 'it is not always the same', "Ask the service's team what it depends on.");
      return requireHarmless([...codes].join(), service);
    },
  }),
);
