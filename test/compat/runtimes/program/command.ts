/** The program where there is a command line: Node, Bun, Deno. */
import { program } from './program.ts';

const [baseUrl = '', apiKey = '', slowKey = ''] = process.argv.slice(2);
await program({ baseUrl, apiKey, slowKey });
