/** The program in a browser. It posts the result to the server of the page, which has set its surroundings. */
import type { Surroundings } from './program.ts';
import { program } from './program.ts';

declare const surroundings: Surroundings;

const result = await program(surroundings).then(
  () => 'ok',
  (error: unknown) => String(error),
);
await fetch('/', { method: 'POST', body: result });
