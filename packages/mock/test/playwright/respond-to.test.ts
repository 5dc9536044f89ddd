import type { Request } from '@playwright/test';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { respondTo } from '../../src/playwright/respond-to.ts';

const mock = createMock();

const send = (method: string, headers: Record<string, string>) =>
  respondTo(
    {
      method: () => method,
      url: () => `${mock.baseUrl}/api/v2/public/leads`,
      allHeaders: async () => headers,
      postDataBuffer: () => null,
    } as unknown as Request,
    mock,
    new AbortController().signal,
  );

// Playwright itself responds to the preflights of Chromium.
test('a preflight of Firefox or WebKit is allowed, and does not reach the mock', async () => {
  const response = await send('OPTIONS', {
    origin: 'https://app.test',
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'x-api-key,traceparent',
  });
  expect(response).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': 'x-api-key,traceparent',
    },
  });
  expect(mock.requests.length).toBe(0);
});

test('the request line of HTTP/2 is no header', async () => {
  const response = await send('GET', { ':authority': 'api.confab.test', 'x-api-key': mock.apiKey });
  expect(response.status).toBe(200);
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
});
