/** Schemas of the contract within schemas of the user's own copy of zod. The client contains a different copy. */
import { deepEqual, equal } from 'node:assert/strict';
import type { Lead } from '@confab/client';
import { LeadCreateSchema, LeadSchema } from '@confab/client/contract';
import * as z from 'zod';
import * as mini from 'zod/mini';

const lead = {
  id: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11',
  pipelineId: '3d0f2b0c-53f4-4d0e-9d0c-0f3d5b8b6a11',
  phone: null,
  displayName: 'Ada Example',
  email: null,
  source: 'website',
  status: 'a status that is new',
  createdAt: '2026-01-15T09:00:00.000Z',
};

const rows: readonly Lead[][] = [z.array(LeadSchema).parse([lead]), mini.array(LeadSchema).parse([lead])];
deepEqual(rows, [[lead], [lead]]);

const tagged = mini.extend(LeadSchema, { tags: mini.array(mini.string()) });
const tags: string[] = tagged.parse({ ...lead, tags: ['vip'] }).tags;
deepEqual(tags, ['vip']);

const { error } = z.object({ rows: z.array(LeadSchema) }).safeParse({ rows: [lead, { ...lead, id: 'x' }] });
deepEqual(error?.issues[0]?.path, ['rows', 1, 'id']);
equal(mini.safeParse(LeadCreateSchema, { phone: '+442079460958', notez: '' }).success, false);
deepEqual(z.toJSONSchema(LeadSchema).properties?.createdAt, { type: 'string', format: 'date-time' });
