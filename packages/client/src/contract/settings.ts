import type { OperationSettings } from './types/operation-settings.ts';
import type { OperationId } from './types/operation-types.ts';

/** The default time limits, in milliseconds. */
const usual = { timeout: 30_000, deadline: 120_000 };
/** An agent needs more time to generate its reply. */
const slow = { timeout: 120_000, deadline: 300_000 };

/** What the client needs to send each operation, by id. The rest is in `operations`, which the client does not bundle. */
export const operationSettings = {
  'conversations.list': {
    id: 'conversations.list',
    method: 'GET',
    path: '/api/v2/public/conversations',
    idempotent: true,
    ...usual,
  },
  'conversations.get': {
    id: 'conversations.get',
    method: 'GET',
    path: '/api/v2/public/conversations/{id}',
    idempotent: true,
    ...usual,
  },
  'conversations.sendMessage': {
    id: 'conversations.sendMessage',
    method: 'POST',
    path: '/api/v2/public/conversations/{id}/messages',
    idempotent: false,
    ...usual,
  },
  'leads.list': {
    id: 'leads.list',
    method: 'GET',
    path: '/api/v2/public/leads',
    idempotent: true,
    ...usual,
  },
  'leads.create': {
    id: 'leads.create',
    method: 'POST',
    path: '/api/v2/public/leads',
    idempotent: false,
    ...usual,
  },
  'leads.get': {
    id: 'leads.get',
    method: 'GET',
    path: '/api/v2/public/leads/{id}',
    idempotent: true,
    ...usual,
  },
  'leads.update': {
    id: 'leads.update',
    method: 'PATCH',
    path: '/api/v2/public/leads/{id}',
    // It sets fields to fixed values, so a repeat leaves the lead in the same state.
    idempotent: true,
    ...usual,
  },
  'agents.list': {
    id: 'agents.list',
    method: 'GET',
    path: '/api/v2/public/agents',
    idempotent: true,
    ...usual,
  },
  'agents.invoke': {
    id: 'agents.invoke',
    method: 'POST',
    path: '/api/v2/public/agents/{id}/invoke',
    idempotent: false,
    ...slow,
  },
  'analytics.funnel': {
    id: 'analytics.funnel',
    method: 'GET',
    path: '/api/v2/public/analytics/funnel',
    idempotent: true,
    ...usual,
  },
} as const satisfies {
  readonly [Id in OperationId]: Omit<OperationSettings, 'status' | 'errors' | 'scope'> & { readonly id: Id };
};
