import { createClient, createConfig } from '../generated/hey-api/client/index.ts';
import { leadsCreate, leadsGet, leadsList } from '../generated/hey-api/sdk.gen.ts';
import type { LeadStatus } from '../generated/hey-api/types.gen.ts';
import type { ClientProgram } from './client-program.ts';

const status: LeadStatus = 'new';
// @ts-expect-error generated types know the values of an open enum
const _unknown: LeadStatus = 'archived';

export const run: ClientProgram = async ({ baseUrl, apiKey, phone, missingId }) => {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));
  const created = await leadsCreate({ client, body: { phone } });
  if (created.data === undefined) {
    throw new Error(created.error.error);
  }
  const { data: lead } = created.data;
  const listed = await leadsList({ client, query: { status, limit: 100 } });
  if (listed.data === undefined) {
    throw new Error(listed.error.error);
  }
  const got = await leadsGet({ client, path: { id: lead.id } });
  if (got.data === undefined) {
    throw new Error(got.error.error);
  }
  const missing = await leadsGet({ client, path: { id: missingId } });
  if (missing.error === undefined) {
    throw new Error('a missing lead was found');
  }
  return {
    created: lead,
    listed: listed.data.data,
    got: got.data.data,
    missing: { status: missing.response?.status ?? 0, code: missing.error.code },
  };
};
