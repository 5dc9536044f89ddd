/** The process under test: `serve()` with a mock on the system's clock. It measures itself when its parent asks. */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { measureProcess } from './figures.ts';
import { leakInto } from './leak.ts';
import type { Leak } from './options.ts';

/** What the parent asks for. */
export interface Question {
  readonly collectGarbage: boolean;
}

const [, , worldTtl, leak] = process.argv;

const mock = createMock({ clock: 'system', data: 'demo', rateLimit: { requests: 600_000, perMs: 60_000 } });
const server = await serve(mock, {
  worldTtl: Number(worldTtl),
  onRequest: leakInto(leak as Leak | undefined),
});

process.on('message', ({ collectGarbage }: Question) => process.send?.(measureProcess(collectGarbage)));
process.on('disconnect', () => process.exit());
process.send?.({ url: server.url });
