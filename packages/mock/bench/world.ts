import type { Mock } from '../dist/index.js';
import { createMock } from '../dist/index.js';

const STATUSES = ['new', 'active', 'qualified', 'converted', 'lost'] as const;
const SOURCES = ['api', 'web', 'referral'] as const;

const dataOf = (leads: number) => ({
  pipelines: [{ name: 'Sales' }],
  agents: [{ name: 'Assistant' }],
  leads: Array.from({ length: leads }, (_, at) => ({
    displayName: `Lead ${at}`,
    email: `lead${at}@example.com`,
    phone: `+1202${2_000_000 + at}`,
    status: STATUSES[at % 5] ?? 'new',
    source: SOURCES[at % 3] ?? 'api',
    createdAt: new Date(Date.UTC(2025, 0, 1) + at * 60_000).toISOString(),
  })),
});

/** A mock with so many leads, and no limit to its rate. */
export const worldOf = (leads: number): Mock =>
  createMock({
    rateLimit: Number.POSITIVE_INFINITY,
    // As a data file has them: the first read of a string that a template has just built would include building it.
    data: JSON.parse(JSON.stringify(dataOf(leads))),
  });

const read = async (response: Response | undefined): Promise<string> => {
  if (response?.status !== 200) {
    throw new Error(`A request gave ${response?.status}`);
  }
  return response.text();
};

/** Asks a mock for something below its base path, and reads the response, by default through `mock.fetch`. */
export const ask = async (
  mock: Mock,
  path: string,
  init: RequestInit = {},
  fetch: (url: string, init: RequestInit) => Promise<Response | undefined> = mock.fetch,
): Promise<string> =>
  read(
    await fetch(`${mock.baseUrl}/api/v2/public${path}`, { ...init, headers: { 'x-api-key': mock.apiKey } }),
  );
