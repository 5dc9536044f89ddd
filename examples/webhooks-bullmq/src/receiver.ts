import { readEnvironment } from './options.ts';
import { startReceiver } from './start-receiver.ts';
import { stopOnSignal } from './stop-on-signal.ts';

const receiver = await startReceiver({ ...readEnvironment(), port: Number(process.env.PORT ?? 3_000) });
console.log(`The receiver listens on http://localhost:${receiver.port}`);
stopOnSignal(receiver.stop);
