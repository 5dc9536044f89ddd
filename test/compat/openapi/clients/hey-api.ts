import { createClient, createConfig } from '../generated/hey-api/client/index.ts';
import { leadsCreate, leadsGet, leadsList } from '../generated/hey-api/sdk.gen.ts';
import type { LeadStatus } from '../generated/hey-api/types.gen.ts';
import type { Connect } from './client.ts';

const status: LeadStatus = 'new';
// @ts-expect-error generated types know the values of an open enum
const _unknown: LeadStatus = 'archived';

export const connect: Connect = (baseUrl, auth) => {
  const client = createClient(createConfig({ baseUrl, auth }));
  return {
    create: (phone) => leadsCreate({ client, body: { phone } }),
    list: () => leadsList({ client, query: { status, limit: 100 } }),
    get: (id) => leadsGet({ client, path: { id } }),
  };
};
