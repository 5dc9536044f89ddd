/** The matchers in the types of Jest, global and imported: compiled in `test-runners.ts`. */

import { createMock } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { expect as imported } from '@jest/globals';

const mock = createMock();
expect.extend(matchers);
expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
expect(mock).not.toHaveReceived('lead.create');
imported.extend(matchers);
imported(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
imported(mock).not.toHaveReceived('lead.create');
