import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-typescript.ts';
import type { Connect } from './client.ts';

const status: components['schemas']['LeadStatus'] = 'new';
// @ts-expect-error generated types know the values of an open enum
const _unknown: components['schemas']['LeadStatus'] = 'archived';

export const connect: Connect = (baseUrl, apiKey) => {
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
  return {
    create: (phone) => api.POST('/api/v2/public/leads', { body: { phone } }),
    list: () => api.GET('/api/v2/public/leads', { params: { query: { status, limit: 100 } } }),
    get: (id) => api.GET('/api/v2/public/leads/{id}', { params: { path: { id } } }),
  };
};
