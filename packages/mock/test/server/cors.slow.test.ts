import { expect, test } from 'vitest';
import { chromiumPath, inChromium } from '../support/browser.ts';
import { start } from '../support/serving.ts';

/** What a page does with the API, and what it can read of the responses. */
const calls = (url: string, key: string): string => `
const call = async (path, init = {}) => {
  const headers = { 'x-api-key': '${key}', 'content-type': 'application/json', traceparent: 'x' };
  const response = await fetch('${url}' + path, { ...init, headers });
  return [response.status, response.headers.get('retry-after') !== null];
};
const blocked = (promise) => promise.then(() => 'open', () => 'blocked');
return {
  created: await call('/api/v2/public/leads', { method: 'POST', body: '{"phone":"+5511987654321"}' }),
  limited: await call('/api/v2/public/leads'),
  control: await blocked(fetch('${url}/__mock/state')),
};`;

test.skipIf(chromiumPath === undefined)(
  'with cors, a page of another origin can call the API in Chromium and read its headers, but not the controls',
  async () => {
    const { mock, server } = await start({ cors: true }, { rateLimit: 1 });
    expect(await inChromium(calls(server.url, mock.apiKey))).toEqual({
      created: [201, false],
      limited: [429, true],
      control: 'blocked',
    });
    expect(mock.leads.count()).toBe(1);
  },
);
