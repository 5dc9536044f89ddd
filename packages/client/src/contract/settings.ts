import type { OperationSettings } from './types/operation-settings.ts';
import type { OperationId } from './types/operation-types.ts';

/** The default time limits, in milliseconds. */
const usual = { timeout: 30_000, deadline: 120_000 };
/** An agent needs more time to generate its reply. */
const slow = { timeout: 120_000, deadline: 300_000 };

/** Everything about each operation but its schemas, by id. */
export const operationSettings = {
  'conversations.list': {
    id: 'conversations.list',
    method: 'GET',
    path: '/api/v2/public/conversations',
    status: 200,
    errors: [401, 403, 429],
    scope: 'read:conversations',
    idempotent: true,
    ...usual,
  },
  'conversations.get': {
    id: 'conversations.get',
    method: 'GET',
    path: '/api/v2/public/conversations/{id}',
    status: 200,
    errors: [401, 404],
    scope: 'read:conversations',
    idempotent: true,
    ...usual,
  },
  'conversations.sendMessage': {
    id: 'conversations.sendMessage',
    method: 'POST',
    path: '/api/v2/public/conversations/{id}/messages',
    status: 201,
    errors: [401, 404],
    scope: 'write:conversations',
    idempotent: false,
    ...usual,
  },
  'leads.list': {
    id: 'leads.list',
    method: 'GET',
    path: '/api/v2/public/leads',
    status: 200,
    errors: [],
    scope: 'read:leads',
    idempotent: true,
    ...usual,
  },
  'leads.create': {
    id: 'leads.create',
    method: 'POST',
    path: '/api/v2/public/leads',
    status: 201,
    errors: [400, 409],
    scope: 'write:leads',
    idempotent: false,
    ...usual,
  },
  'leads.get': {
    id: 'leads.get',
    method: 'GET',
    path: '/api/v2/public/leads/{id}',
    status: 200,
    errors: [404],
    scope: 'read:leads',
    idempotent: true,
    ...usual,
  },
  'leads.update': {
    id: 'leads.update',
    method: 'PATCH',
    path: '/api/v2/public/leads/{id}',
    status: 200,
    errors: [],
    scope: 'write:leads',
    // It sets fields to fixed values, so a repeat leaves the lead in the same state.
    idempotent: true,
    ...usual,
  },
  'agents.list': {
    id: 'agents.list',
    method: 'GET',
    path: '/api/v2/public/agents',
    status: 200,
    errors: [],
    scope: 'read:agents',
    idempotent: true,
    ...usual,
  },
  'agents.invoke': {
    id: 'agents.invoke',
    method: 'POST',
    path: '/api/v2/public/agents/{id}/invoke',
    status: 200,
    errors: [],
    scope: 'write:agents',
    idempotent: false,
    ...slow,
  },
  'analytics.funnel': {
    id: 'analytics.funnel',
    method: 'GET',
    path: '/api/v2/public/analytics/funnel',
    status: 200,
    errors: [],
    scope: 'read:analytics',
    idempotent: true,
    ...usual,
  },
} as const satisfies { readonly [Id in OperationId]: OperationSettings & { readonly id: Id } };
