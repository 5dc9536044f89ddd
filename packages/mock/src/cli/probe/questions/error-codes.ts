import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Service } from '../service.ts';
import { PROBE } from '../service.ts';

const DEFAULTS: Readonly<Record<number, string>> = {
  400: 'INVALID_PARAMETERS',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
};

/** Responses that must have the same code: some services put an id into it. */
const ENOUGH = 2;

const codeOf = (service: Service, operation: OperationId, status: number): Finding => {
  const question = `Code of ${status} of ${operation}`;
  const replies = service.replies.filter((reply) => reply.operation === operation && reply.status === status);
  const codes = new Set(replies.map(({ code }) => code));
  const [code] = codes;
  if (replies.length < ENOUGH) {
    return unknown(
      question,
      'only one response had it, and it may change with each request',
      'Run the probe again with a higher --max-requests.',
    );
  }
  if (codes.size > 1) {
    return unknown(question, 'it is not always the same', "Ask the service's team what it depends on.");
  }
  return code !== undefined && service.isHarmless(code)
    ? learned(question, ['behavior', 'codes', operation, String(status)], code, DEFAULTS[status])
    : unknown(
        question,
        code === undefined
          ? 'the response had none'
          : 'it is no plain word, or contains a value of the account',
        'Set the option by hand.',
      );
};

/** Asks for what does not exist and for what is not valid, and reads the codes of these and all earlier errors. */
export const errorCodes: Question = {
  topic: 'codes of errors',
  async ask(service) {
    const { nobody: id, another } = service;
    const asked = [
      [404, await service.read('leads.get', { id })],
      [404, await service.read('leads.get', { id: another })],
      [404, await service.read('conversations.get', { id })],
      [404, await service.read('conversations.get', { id: another })],
      [400, await service.read('leads.list', { query: { limit: 0 } })],
      [400, await service.read('leads.list', { query: { limit: -1 } })],
      [400, await service.read('conversations.list', { query: { limit: 0 } })],
      [400, await service.read('conversations.list', { query: { limit: -1 } })],
      [400, await service.read('analytics.funnel', { query: { from: PROBE } })],
      [400, await service.read('analytics.funnel', { query: { to: PROBE } })],
    ] as const;
    const known = (Object.keys(operations) as OperationId[]).flatMap((operation) =>
      Object.keys(DEFAULTS)
        .map(Number)
        .filter((status) =>
          service.replies.some((reply) => reply.operation === operation && reply.status === status),
        )
        .map((status) => codeOf(service, operation, status)),
    );
    const others = asked
      .filter((_, at) => at % ENOUGH === 0)
      .filter(
        ([wanted, { operation }]) =>
          !service.replies.some((reply) => reply.operation === operation && reply.status === wanted),
      )
      .map(([wanted, reply]) => {
        const question = `Code of ${wanted} of ${reply.operation}`;
        return reply.body === undefined
          ? unanswered(question, reply)
          : unknown(question, 'the service refused no request', 'Nothing, if it refuses none.');
      });
    return [...known, ...others];
  },
};
