/** The program in a browser: what came of it goes back to whoever served the page. */
import { program } from './program.ts';

const surroundings = await (await fetch('/surroundings')).json();
const outcome = await program({ ...surroundings, baseUrl: location.origin }).then(
  () => 'ok',
  (error: unknown) => String(error),
);
await fetch('/outcome', { method: 'POST', body: outcome });
