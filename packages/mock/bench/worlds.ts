import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../../../scripts/bench/measure.ts';

const WORLDS = 1_000;

interface WorldCosts {
  /** Milliseconds to create one over HTTP, from request to response. */
  readonly median: number;
  /** Megabytes that 1,000 worlds keep in use in the server's process; garbage is collected before each reading. */
  readonly megabytes: number;
}

/** Creates 1,000 worlds over one keep-alive connection, in a server that has done nothing else. */
export const measureWorlds = async (): Promise<WorldCosts> => {
  const script = new URL('servers/worlds.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--expose-gc', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const [chunk] = await once(child.stdout, 'data');
    const url = `${String(chunk).trim()}/__mock/worlds`;
    const create = async () => {
      const response = await fetch(url, { method: 'POST', body: '{}' });
      await response.text();
      if (response.status !== 201) {
        throw new Error(`${url} returned ${response.status}`);
      }
    };
    const bytesInUse = async (): Promise<number> => {
      child.send('memory');
      const [bytes] = await once(child, 'message');
      return Number(bytes);
    };
    // The first world does not count, because it loads code that all worlds share.
    await create();
    const before = await bytesInUse();
    const took: number[] = [];
    for (let made = 1; made < WORLDS; made += 1) {
      const began = performance.now();
      await create();
      took.push(performance.now() - began);
    }
    const megabytes = ((await bytesInUse()) - before) / 1e6;
    return { median: median(took), megabytes };
  } finally {
    child.kill();
  }
};
