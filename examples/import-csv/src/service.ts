import type { Confab } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

/** Milliseconds that the mock takes for a response, which leaves time to press Ctrl-C. */
const LATENCY = 150;

/** Creates a client of the real service if `CONFAB_API_KEY` is set, and of a mock in this process otherwise. */
export const connect = (): Confab => {
  if (process.env.CONFAB_API_KEY !== undefined) {
    return createClient();
  }
  const mock = createMock({ clock: 'system', latency: LATENCY });
  return createClient(mock.clientOptions);
};
