import type { OperationId } from '@confab/client/contract';
import { closestName, unknownNames } from '@confab/internal';
import { invalid } from '../http/refusal.ts';
import type { RequestQuery } from '../world/log/request-query.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

const STATES: readonly Delivery['state'][] = ['pending', 'delivered', 'failed'];

const REQUEST_FILTERS = ['operation', 'status', 'method', 'limit', 'offset'];

const DELIVERY_FILTERS = ['event', 'state', 'limit', 'offset'];

const checkNames = (query: URLSearchParams, known: readonly string[]): void => {
  const problem = unknownNames('query parameter', Object.fromEntries(query), known);
  if (problem !== undefined) {
    throw invalid(problem);
  }
  const repeated = known.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw invalid(`query.${repeated} must be given once, not several times`);
  }
};

const textOf = (query: URLSearchParams, name: string): string | undefined => query.get(name) ?? undefined;

const integerOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  if (text === null) {
    return undefined;
  }
  if (!/^\d{1,9}$/.test(text)) {
    throw invalid(`query.${name} must be a whole number, got ${JSON.stringify(text)}`);
  }
  return Number(text);
};

const sliceOf = (query: URLSearchParams) => ({
  limit: integerOf(query, 'limit'),
  offset: integerOf(query, 'offset'),
});

/**
 * Reads the query of `GET /__mock/requests`.
 *
 * @throws {@link Refusal} 400, when a parameter is unknown, repeated or invalid.
 */
export const readRequestsQuery = (query: URLSearchParams): RequestQuery => {
  checkNames(query, REQUEST_FILTERS);
  return {
    // The log checks it, and suggests a known one.
    operation: textOf(query, 'operation') as OperationId | undefined,
    status: integerOf(query, 'status'),
    method: textOf(query, 'method'),
    ...sliceOf(query),
  };
};

/**
 * Reads the query of `GET /__mock/deliveries`.
 *
 * @throws {@link Refusal} 400, when a parameter is unknown, repeated or invalid.
 */
export const readDeliveriesQuery = (query: URLSearchParams) => {
  checkNames(query, DELIVERY_FILTERS);
  const state = textOf(query, 'state');
  if (state !== undefined && !STATES.some((known) => known === state)) {
    throw invalid(`query.state must be pending, delivered or failed, got ${JSON.stringify(state)}`);
  }
  return { event: textOf(query, 'event'), state, ...sliceOf(query) };
};

/**
 * Says which events were delivered, if the one that a query asks for was not. An empty page is no error, because the event
 * may follow later: a caller that polls for it must not be refused.
 */
export const eventHint = (event: string, deliveries: readonly Delivery[]): string | undefined => {
  const events = [...new Set(['message.created', ...deliveries.map((delivery) => delivery.event)])];
  if (deliveries.some((delivery) => delivery.event === event) || event === 'message.created') {
    return undefined;
  }
  const meant = closestName(event, events);
  const suggestion = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  return `No delivery has the event ${JSON.stringify(event)} yet.${suggestion} Known: ${events.join(', ')}.`;
};
