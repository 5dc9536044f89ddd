/** The matchers in the types of Jest, global and imported: compiled in `main.ts`. */

import { createMock } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { connectMock } from '@confab/mock/remote';
import { expect as imported } from '@jest/globals';

const mock = createMock();
expect.extend(matchers);
expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
expect(mock).not.toHaveReceived('lead.create');
const remote = await connectMock('http://127.0.0.1:4010');
const received: Promise<void> = expect(remote).toHaveReceived('leads.create');
const delivered: Promise<void> = expect(remote).not.toHaveDelivered('message.created');
// @ts-expect-error a mock in this process needs no await
const here: Promise<void> = expect(mock).toHaveReceived('leads.create');
await Promise.all([received, delivered, here]);
imported.extend(matchers);
imported(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
imported(mock).not.toHaveReceived('lead.create');
