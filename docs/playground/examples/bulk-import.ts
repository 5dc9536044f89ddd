import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

const mock = createMock();
mock.leads.create({ phone: '+442079460002' });
const confab = createClient(mock.clientOptions);

const rows = [
  { phone: '+44 20 7946 0001', displayName: 'Ada' },
  { phone: '+44 20 7946 0002', displayName: 'Grace' },
  { phone: '+44 (20) 7946-0001', displayName: 'Ada again' },
  { phone: 'unknown' },
];

for await (const { index, status, lead, error } of confab.leads.ensureMany(rows)) {
  console.log(`Row ${index}: ${status}, ${lead?.phone ?? (error instanceof Error ? error.name : error)}`);
}
console.log(`${mock.leads.count()} leads in the service`);
//=> Row 0: created, +442079460001
//=> Row 1: existing, +442079460002
//=> Row 2: existing, +442079460001
//=> Row 3: failed, BadRequestError
//=> 2 leads in the service
