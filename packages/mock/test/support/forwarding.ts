import { createClient } from '@confab/client';
import { onTestFinished } from 'vitest';
import { createMock } from '../../src/index.ts';
import { forward } from '../../src/upstream/forward/forward.ts';

type Forward = Awaited<ReturnType<typeof forward>>;

export const KEY = 'confab_live_sEcr3t-of-the-real-account';

/** Starts a proxy in front of a service, with a client. */
export const startForwarding = async (url: string, options: Partial<Parameters<typeof forward>[0]> = {}) => {
  const reported: string[] = [];
  const server = await forward({
    url,
    port: 0,
    host: '127.0.0.1',
    keepPersonalData: false,
    report: (line) => reported.push(line),
    ...options,
  });
  onTestFinished(() => server.close());
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v2/public/${path}`, { ...init, headers: { 'x-api-key': KEY, ...init.headers } });
  return { server, reported, call, confab: createClient({ baseUrl: server.url, apiKey: KEY, retry: false }) };
};

/** Starts a mock with a recording, with a client. */
export const replay = (recording: ReturnType<Forward['data']>) => {
  const mock = createMock({ data: JSON.parse(JSON.stringify(recording)) });
  return { mock, confab: createClient({ ...mock.clientOptions, retry: false }) };
};
