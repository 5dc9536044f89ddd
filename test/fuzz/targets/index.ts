import type { Target } from '../engine/target.ts';

type Load = () => Promise<{ readonly target: Target }>;

/** Every target by its name. Each is loaded when it runs, because counters are added when modules are loaded. */
export const targets: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['client-base-url', () => import('./client-base-url.ts')],
  ['client-flags', () => import('./client-flags.ts')],
  ['client-redact', () => import('./client-redact.ts')],
  ['client-response', () => import('./client-response.ts')],
  ['client-retry-after', () => import('./client-retry-after.ts')],
  ['client-walk', () => import('./client-walk.ts')],
  ['mock-control', () => import('./mock-control.ts')],
  ['mock-data', () => import('./mock-data.ts')],
  ['mock-flags', () => import('./mock-flags.ts')],
  ['mock-recording', () => import('./mock-recording.ts')],
  ['mock-request', () => import('./mock-request.ts')],
  ['mock-state', () => import('./mock-state.ts')],
  ['webhooks-recording', () => import('./webhooks-recording.ts')],
  ['webhooks-signature', () => import('./webhooks-signature.ts')],
  ['webhooks-body', () => import('./webhooks-body.ts')],
  ['webhooks-flags', () => import('./webhooks-flags.ts')],
  ['webhooks-lambda', () => import('./webhooks-lambda.ts')],
  ['webhooks-queue', () => import('./webhooks-queue.ts')],
]);
