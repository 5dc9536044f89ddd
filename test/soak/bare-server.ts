/** A server that does nothing but respond, in a process of its own: what the machine itself takes for a request. */
import { openServer } from '@confab/internal/test-support';

const { url } = await openServer((_, response) => response.end());
process.on('disconnect', () => process.exit());
process.send?.({ url });
