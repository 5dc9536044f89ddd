import type { Target } from '../engine/target.ts';

type Load = () => Promise<{ readonly target: Target }>;

/** Every target by its name. Each is loaded when it runs, because counters are added when modules are loaded. */
export const targets: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['client-retry-after', () => import('./client-retry-after.ts')],
  ['webhooks-signature', () => import('./webhooks-signature.ts')],
  ['webhooks-body', () => import('./webhooks-body.ts')],
  ['webhooks-lambda', () => import('./webhooks-lambda.ts')],
  ['webhooks-queue', () => import('./webhooks-queue.ts')],
]);
