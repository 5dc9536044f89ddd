import { expect, test } from 'vitest';
import { startChild } from './start-child.ts';

test('a program that ends before it sends anything is an error', async () => {
  const silent = new URL('../soak/compare-windows.ts', import.meta.url);
  await expect(startChild(silent)).rejects.toThrow('The process of compare-windows.ts ended with 0.');
});

test('a question is an error once the program has ended', async () => {
  const child = await startChild(new URL('../soak/bare-server.ts', import.meta.url));
  const reply = child.ask();
  child.stop();
  await expect(reply).rejects.toThrow('The process of bare-server.ts ended with SIGKILL.');
});
