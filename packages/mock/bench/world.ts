import type { Mock } from '../dist/index.js';
import { createMock } from '../dist/index.js';

const STATUSES = ['new', 'active', 'qualified', 'converted', 'lost'] as const;
const SOURCES = ['api', 'web', 'referral'] as const;

const dataOf = (leads: number) => ({
  pipelines: [{ name: 'Sales' }],
  agents: [{ name: 'Assistant' }],
  leads: Array.from({ length: leads }, (_, index) => ({
    displayName: `Lead ${index}`,
    email: `lead${index}@example.com`,
    phone: `+1202${2_000_000 + index}`,
    status: STATUSES[index % 5] ?? 'new',
    source: SOURCES[index % 3] ?? 'api',
    createdAt: new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString(),
  })),
});

/** Creates a mock with this many leads and without a rate limit. */
export const worldOf = (leads: number): Mock =>
  createMock({
    rateLimit: Number.POSITIVE_INFINITY,
    // Parsed from JSON, like a data file: otherwise the first read of each string would include building it.
    data: JSON.parse(JSON.stringify(dataOf(leads))),
  });

const read = async (response: Response | undefined): Promise<string> => {
  if (response?.status !== 200) {
    throw new Error(`A request returned ${response?.status}`);
  }
  return response.text();
};

/** Sends a request to a mock, by default through `mock.fetch`, and reads the response. */
export const ask = async (
  mock: Mock,
  path: string,
  init: RequestInit = {},
  fetch: (url: string, init: RequestInit) => Promise<Response | undefined> = mock.fetch,
): Promise<string> =>
  read(
    await fetch(`${mock.baseUrl}/api/v2/public${path}`, { ...init, headers: { 'x-api-key': mock.apiKey } }),
  );
