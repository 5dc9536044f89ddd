import { expect, test, vi } from 'vitest';
import { createClient, InvalidResponseError, NotFoundError } from '../src/index.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { failure, json, startServer } from './support/server.ts';

const setUp = async (...responders: Parameters<typeof startServer>) => {
  const server = await startServer(...responders);
  return { server, confab: createClient({ baseUrl: server.url, apiKey: KEY, retry: { baseDelay: 0 } }) };
};

test('withResponse returns data, status, headers and attempts', async () => {
  const { confab } = await setUp(
    failure(503, 'BUSY'),
    json(200, { success: true, data: lead }, { 'x-request-id': 'r1' }),
  );
  const { data, response } = await confab.leads.get(ids.lead).withResponse();
  expect(data).toEqual(lead);
  expect(response).toMatchObject({ status: 200, attempts: 2 });
  expect(response.headers['x-request-id']).toBe('r1');
});

test('asResponse returns the status, headers and body of the response', async () => {
  const { confab } = await setUp(json(201, { success: true, data: lead }, { 'x-request-id': 'r1' }));
  const response = await confab.leads.create({ phone: '+5511987654321' }).asResponse();
  expect(response).toBeInstanceOf(Response);
  expect(response.status).toBe(201);
  expect(response.headers.get('x-request-id')).toBe('r1');
  expect(await response.json()).toEqual({ success: true, data: lead });
});

test('the promise, withResponse and asResponse reject when the API returns an error', async () => {
  const { confab } = await setUp(failure(404, 'NOT_FOUND'));
  await errorOf(confab.leads.get(ids.lead), NotFoundError);
  await errorOf(confab.leads.get(ids.lead).withResponse(), NotFoundError);
  await errorOf(confab.leads.get(ids.lead).asResponse(), NotFoundError);
});

test('asResponse returns a body that cannot be decoded, and leaves no rejection unhandled', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const { confab } = await setUp((_, response) => void response.writeHead(200).end('<html>'));
  const response = await confab.leads.get(ids.lead).asResponse();
  expect(await response.text()).toBe('<html>');
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await errorOf(confab.leads.get(ids.lead), InvalidResponseError);
});
