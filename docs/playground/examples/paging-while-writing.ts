import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

const mock = createMock();
for (let index = 0; index < 250; index += 1) {
  mock.leads.create({ phone: `+4477009${String(index).padStart(5, '0')}` });
}
const confab = createClient(mock.clientOptions);

// Each update removes a lead from the list that the loop is reading. Plain offsets would skip every second page.
let updated = 0;
for await (const lead of confab.leads.list({ status: 'new' })) {
  await confab.leads.update(lead.id, { status: 'active' });
  updated += 1;
}

console.log(`Updated ${updated} leads; ${mock.leads.count({ status: 'new' })} are still new.`);
console.log(`Pages read: ${mock.requests.of('leads.list').length}`);
//=> Updated 250 leads; 0 are still new.
//=> Pages read: 4
