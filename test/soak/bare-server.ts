/** Responds to every request at once, in a process of its own, to measure how long the machine itself takes. */
import { openServer } from '@confab/internal/test-support';

const { url } = await openServer((_, response) => response.end());
process.on('disconnect', () => process.exit());
process.send?.({ url });
