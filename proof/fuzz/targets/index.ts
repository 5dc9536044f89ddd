import type { Target } from '../engine/target.ts';

type Load = () => Promise<{ readonly target: Target }>;

/** Every target by its name. Each is loaded when it runs, because counters are added when modules are loaded. */
export const targets: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['client-base-url', () => import('./client-base-url.ts')],
  ['client-redact', () => import('./client-redact.ts')],
  ['client-response', () => import('./client-response.ts')],
  ['client-retry-after', () => import('./client-retry-after.ts')],
  ['client-walk', () => import('./client-walk.ts')],
  ['webhooks-signature', () => import('./webhooks-signature.ts')],
  ['webhooks-body', () => import('./webhooks-body.ts')],
  ['webhooks-lambda', () => import('./webhooks-lambda.ts')],
  ['webhooks-queue', () => import('./webhooks-queue.ts')],
]);
