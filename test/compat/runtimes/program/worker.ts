import type { Confab } from '@confab/client';
import { createClient } from '@confab/client';
import type { Surroundings } from './program.ts';
import { program } from './program.ts';

/** Kept between requests, as it should not be, and will be. */
let kept: Confab | undefined;

/** One call of several that come at once, and have to wait for each other's pace. */
const queue = async ({ baseUrl, apiKey }: Surroundings): Promise<void> => {
  kept ??= createClient({ baseUrl, apiKey, rateLimit: { requests: 1, perMs: 200 }, totalTimeout: 5_000 });
  await kept.agents.list();
};

/** The program in workerd: a request brings its surroundings. */
export default {
  async fetch(request: Request): Promise<Response> {
    try {
      const run = new URL(request.url).pathname === '/queue' ? queue : program;
      await run((await request.json()) as Surroundings);
      return new Response('ok');
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
