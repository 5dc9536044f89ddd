/** The matchers in the types of Jest, imported: compiled in `main.ts`. */

import { createMock } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { expect } from '@jest/globals';

const mock = createMock();
expect.extend(matchers);
expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
// @ts-expect-error no operation has this name
expect(mock).not.toHaveReceived('lead.create');
