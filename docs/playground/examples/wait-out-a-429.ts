import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

// This service allows two requests per minute. The first 429 tells the client so; from then on it waits for its turn,
// on the mock's clock.
const mock = createMock({ rateLimit: 2 });
const confab = createClient(mock.clientOptions);

const start = mock.clock.now();
for (const phone of ['+447700900001', '+447700900002', '+447700900003', '+447700900004', '+447700900005']) {
  await confab.leads.create({ phone });
  console.log(`${(mock.clock.now() - start) / 1_000} s: created ${phone}`);
}

const statuses = mock.requests.of('leads.create').map(({ status }) => status);
console.log(`Responses: ${statuses.join(', ')}`);
//=> 0 s: created +447700900001
//=> 0 s: created +447700900002
//=> 60 s: created +447700900003
//=> 60 s: created +447700900004
//=> 120 s: created +447700900005
//=> Responses: 201, 201, 429, 201, 201, 201
