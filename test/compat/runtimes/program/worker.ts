import type { Surroundings } from './program.ts';
import { program } from './program.ts';

/** The program in workerd: a request brings its surroundings. */
export default {
  async fetch(request: Request): Promise<Response> {
    try {
      await program((await request.json()) as Surroundings);
      return new Response('ok');
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
