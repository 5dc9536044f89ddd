import { createClient, ServerError } from '@confab/client';
import { createMock } from '@confab/mock';

const mock = createMock({ data: 'demo' });
const confab = createClient(mock.clientOptions);

// Reading is safe to retry: the client does so after a 503 and after a broken connection.
mock.faults.once('leads.list', { status: 503, headers: { 'retry-after': '5' } });
mock.faults.once('leads.list', { network: 'error' });
const page = await confab.leads.list();
const attempts = mock.requests.of('leads.list').map(({ status }) => status ?? 'no response');
console.log(`${page.meta.total} leads, after ${attempts.join(', ')}`);

// Creating is not safe: after a 500, the lead may exist. The client leaves the decision to you.
mock.faults.once('leads.create', { status: 500 });
try {
  await confab.leads.create({ phone: '+447700900001' });
} catch (error) {
  if (error instanceof ServerError) {
    console.log(`${error.name} ${error.status}, after ${error.attempts} attempt`);
  }
}

// ensure() creates the lead, or finds the one that has the phone number.
const { status } = await confab.leads.ensure({ phone: '+447700900001' });
console.log(status);
//=> 60 leads, after 503, no response, 200
//=> ServerError 500, after 1 attempt
//=> created
