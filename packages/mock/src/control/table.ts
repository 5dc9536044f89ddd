import type { ControlOperation } from './control-operation.ts';
import { clock } from './operations/clock.ts';
import { faults } from './operations/faults.ts';
import { keys } from './operations/keys.ts';
import { requests } from './operations/requests.ts';
import { rows } from './operations/rows.ts';
import { snapshots } from './operations/snapshots.ts';
import { webhooks } from './operations/webhooks.ts';
import { whole } from './operations/whole.ts';
import { worlds } from './operations/worlds.ts';

/**
 * All control operations. Routes, checks and the OpenAPI document derive from this table; `OTHER_ENDPOINTS` has the
 * endpoints that are no operations of a mock.
 */
export const CONTROLS: readonly ControlOperation[] = [
  ...whole,
  ...rows,
  ...requests,
  ...webhooks,
  ...keys,
  ...faults,
  ...clock,
  ...snapshots,
  ...worlds,
];
