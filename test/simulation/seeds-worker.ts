import { parentPort, workerData } from 'node:worker_threads';
import { runScenario } from './run-scenario.ts';
import { drawScenario } from './scenario.ts';

const { from, to, stride } = workerData;
for (let seed = from; seed <= to; seed += stride) {
  const { events, violation } = await runScenario(drawScenario(seed));
  parentPort?.postMessage({ seed, events, violation });
}
