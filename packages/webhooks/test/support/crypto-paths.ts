import type { EventSchemas, SignOptions, WebhooksOptions } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { vi } from 'vitest';

/** Hides `node:crypto` from the package while a function runs, as on Workers. */
const withoutNodeCrypto = <Result>(run: () => Result): Result => {
  const getBuiltinModule = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  try {
    return run();
  } finally {
    getBuiltinModule.mockRestore();
  }
};

const pathOf = (name: string, within: <Result>(run: () => Result) => Result) => ({
  name,
  createWebhooks: <const Extra extends EventSchemas = Record<never, never>, Tx = undefined>(
    options: WebhooksOptions<Extra, Tx>,
  ) => within(() => createWebhooks(options)),
  sign: (body: string | Uint8Array, options: SignOptions) => within(() => sign(body, options)),
});

/** The package with each implementation of HMAC. Every test of a signature runs with both. */
export const cryptoPaths = [pathOf('node', (run) => run()), pathOf('webcrypto', withoutNodeCrypto)];
