/** The matchers in the global types of Jest: compiled in `main.ts`. */

import { createMock } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { connectMock } from '@confab/mock/remote';

const mock = createMock();
expect.extend(matchers);
expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
expect(mock).not.toHaveReceived('lead.create');
// The types of `expect` do not distinguish a remote mock from one in this process. `await` accepts both.
const remote = await connectMock('http://127.0.0.1:4010');
await expect(remote).toHaveReceived('leads.create');
await expect(remote).not.toHaveDelivered('message.created');
// @ts-expect-error no operation has this name
await expect(remote).toHaveReceived('lead.create');
