import { addHandlers } from './handlers.ts';
import { readEnvironment } from './options.ts';
import { startWorker } from './start-worker.ts';
import { stopOnSignal } from './stop-on-signal.ts';

const worker = await startWorker({ ...readEnvironment(), addHandlers });
console.log('The worker is ready.');
stopOnSignal(worker.stop);
