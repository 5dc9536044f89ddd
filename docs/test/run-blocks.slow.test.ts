import { expect, test } from 'vitest';
import type { CodeBlock } from './support/code-blocks.ts';
import { writeBlocks } from './support/compile.ts';
import { blocks } from './support/documents.ts';
import { placeOf } from './support/places.ts';
import { runOnStage } from './support/stage.ts';

const staged = blocks.filter((block) => placeOf(block) === 'stage');
const folder = await writeBlocks('staged', staged);

test.for(staged.map((block) => [`${block.document}:${block.line}`, block] as const))(
  'the code block at %s runs without a warning, and its receivers accept a delivery',
  async ([, block]) => {
    const { complaints, statuses } = await runOnStage(folder, block);
    expect(complaints).toEqual([]);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  },
);

const block = (line: number, code: string): CodeBlock => ({ document: 'wrong.md', line, code, runs: false });

test('a block that throws is reported', async () => {
  const failing = block(1, 'await confab.leads.create({ phone: lead.phone });');
  await expect(runOnStage(folder, failing)).rejects.toThrow('leads.create failed with 409');
});

test('a block that calls another service is reported', async () => {
  const calling = block(2, "await fetch('https://example.com/');");
  await expect(runOnStage(folder, calling)).rejects.toThrow('A block called https://example.com/');
});

test('a receiver that refuses deliveries is reported, with what it writes', async () => {
  const { complaints, statuses } = await runOnStage(
    folder,
    block(
      3,
      `import { createWebhooks } from '@confab/webhooks';
      import { toNodeHandler } from '@confab/webhooks/node';
      const receiver = createWebhooks({ secret, signature: { header: 'x-another-header' } });
      receiver.onError(({ code }) => console.error(code));
      createServer(toNodeHandler(receiver)).listen(3000);`,
    ),
  );
  expect(statuses).toEqual([401]);
  expect(complaints).toEqual(['MISSING_SIGNATURE']);
});
