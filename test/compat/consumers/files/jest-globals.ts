/** The matchers in the imported types of Jest: compiled in `main.ts`. */

import { createMock } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { connectMock } from '@confab/mock/remote';
import { expect } from '@jest/globals';

const mock = createMock();
expect.extend(matchers);
expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
expect(mock).not.toHaveReceived('lead.create');
expect(mock).toHaveReceivedInOrder(['leads.create', ['leads.update', { status: 'qualified' }]]);
const remote = await connectMock('http://127.0.0.1:4010');
const toAwait: Promise<void> = expect(remote).toHaveReceived('leads.create', {}, { times: 2 });
await toAwait;
// @ts-expect-error the matcher of a mock in this process returns no promise
const notToAwait: Promise<void> = expect(mock).toHaveReceived('leads.create');
void notToAwait;
