import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-typescript.ts';
import type { ClientProgram } from './client-program.ts';

type LeadStatus = components['schemas']['LeadStatus'];
const status: LeadStatus = 'new';
// @ts-expect-error generated types know the values of an open enum
const _unknown: LeadStatus = 'archived';

export const run: ClientProgram = async ({ baseUrl, apiKey, phone, missingId }) => {
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
  const created = await api.POST('/api/v2/public/leads', { body: { phone } });
  if (created.data === undefined) {
    throw new Error(created.error.error);
  }
  const { data: lead } = created.data;
  const listed = await api.GET('/api/v2/public/leads', { params: { query: { status, limit: 100 } } });
  if (listed.data === undefined) {
    throw new Error(listed.error.error);
  }
  const got = await api.GET('/api/v2/public/leads/{id}', { params: { path: { id: lead.id } } });
  if (got.data === undefined) {
    throw new Error(got.error.error);
  }
  const missing = await api.GET('/api/v2/public/leads/{id}', { params: { path: { id: missingId } } });
  if (missing.error === undefined) {
    throw new Error('a missing lead was found');
  }
  return {
    created: lead,
    listed: listed.data.data,
    got: got.data.data,
    missing: { status: missing.response.status, code: missing.error.code },
  };
};
