import type { Surroundings } from './program.ts';
import { program } from './program.ts';

/** Runs the program in workerd, with the surroundings in the body of a request. */
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
