import { createClient, isConfabError } from '@confab/client';
import type { Fault } from '@confab/mock';
import { createMock } from '@confab/mock';
import { expect, test } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';

/** The rows of the table in the guide. */
const rows = [
  ...read('docs/guides/testing-faults.md').matchAll(/^\| `(\{.*\})` \| (\w+) \| `(\w+)` \| (\w+) \|$/gm),
].map(([, ...cells]) => cells);

test('the table in docs/guides/testing-faults.md has its nine rows', () => {
  expect(rows).toHaveLength(9);
});

test.for(rows)(
  'docs/guides/testing-faults.md: with %s, the message is sent: %s; the call throws %s with mayHaveActed %s',
  async ([text = '', sent, name, mayHaveActed]) => {
    const fault = JSON.parse(
      text
        .replaceAll(/\w+(?=:)/g, '"$&"')
        .replaceAll("'", '"')
        .replaceAll('_', ''),
    ) as Fault;
    const mock = createMock();
    const confab = createClient(mock.clientOptions);
    const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
    mock.faults.always('conversations.sendMessage', fault);
    const call = confab.conversations.sendMessage(conversation.id, { content: 'Hello Ada' });
    const error: unknown = await call.catch((reason: unknown) => reason);
    expect([
      mock.messages.find({ direction: 'outbound' }).length === 1 ? 'yes' : 'no',
      isConfabError(error) && error.name,
      isConfabError(error) && String(error.mayHaveActed),
    ]).toEqual([sent, name, mayHaveActed]);
  },
);
