import type { AddressInfo } from 'node:net';
import jsonServer from 'json-server';
import { mock } from './page.ts';

const app = jsonServer.create();
app.use(jsonServer.router({ leads: [...mock.leads.find()] }));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
