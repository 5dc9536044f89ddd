/** An app that turns contact requests into leads: `POST /contact` with `{ "phone" }`. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { ConfabError, createClient } from '@confab/client';

// The base URL is http://mock:4010. With the real service, leave the option out.
const confab = createClient({ dangerouslyAllowHttp: true });

createServer(async (request, response) => {
  try {
    const { phone } = (await json(request)) as { phone: string };
    const { lead } = await confab.leads.ensure({ phone });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: lead?.id }));
  } catch (error) {
    console.error(error);
    response.writeHead(error instanceof ConfabError ? 502 : 400).end();
  }
}).listen(3000, '0.0.0.0');
