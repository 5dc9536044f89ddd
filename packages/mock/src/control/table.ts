import * as z from 'zod/mini';
import { apiDocument } from './api-document.ts';
import { openapi } from './openapi.ts';
import type { ControlOperation } from './operation.ts';
import { controlOperation } from './operation.ts';
import { clock } from './operations/clock.ts';
import { events } from './operations/events.ts';
import { faults } from './operations/faults.ts';
import { keys } from './operations/keys.ts';
import { mock } from './operations/mock.ts';
import { requests } from './operations/requests.ts';
import { rows } from './operations/rows.ts';
import { snapshots } from './operations/snapshots.ts';
import { webhooks } from './operations/webhooks.ts';
import { worlds } from './operations/worlds.ts';
import { CONTROL_PREFIX } from './routes.ts';

/** All control operations. Routes, checks, the OpenAPI document and the list of endpoints derive from this table. */
export const CONTROLS: readonly ControlOperation[] = [
  // What describes the server and this table.
  controlOperation('health', {
    summary: 'Checks that the server listens. Needs no token.',
    data: z.strictObject({ status: z.literal('ok') }),
    open: true,
    run: () => ({ status: 'ok' }),
  }),
  controlOperation('index', {
    summary: 'Lists the control endpoints.',
    data: z.strictObject({
      endpoints: z.array(z.strictObject({ method: z.string(), path: z.string(), description: z.string() })),
    }),
    run: () => ({
      endpoints: CONTROLS.map(({ method, path, summary }) => ({
        method,
        path: CONTROL_PREFIX + path,
        description: summary,
      })),
    }),
  }),
  controlOperation('openapi', {
    summary: 'Returns the OpenAPI document of the control endpoints.',
    content: 'application/json',
    run: (_, { baseUrl }) => openapi(CONTROLS, baseUrl),
  }),
  controlOperation('api', {
    summary: 'Returns the OpenAPI document of the API, with existing rows as examples.',
    description:
      'Tools that send the examples get successful responses. `/openapi.json` is the same document with made-up examples, and needs no token.',
    content: 'application/json',
    run: ({ world }, { baseUrl }) => apiDocument(baseUrl, world.store),
  }),
  events,
  ...mock,
  ...rows,
  ...requests,
  ...webhooks,
  ...keys,
  ...faults,
  ...clock,
  ...snapshots,
  ...worlds,
];
