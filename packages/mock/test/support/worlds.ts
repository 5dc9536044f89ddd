import type { MockServer } from '../../src/server/index.ts';

interface World {
  readonly id: string;
  readonly path: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly ttlMs: number | null;
}

interface Envelope {
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly total: number };
  readonly error: string;
}

/** Sends a request, and resolves to its status and its envelope. */
export const requestJson = async (
  url: string,
  { key = '', ...init }: RequestInit & { key?: string } = {},
) => {
  const response = await fetch(url, { ...init, headers: { 'x-api-key': key } });
  return { status: response.status, ...((await response.json()) as Envelope) };
};

/** Makes a world by HTTP, with ways to call its API and its control endpoints. */
export const makeWorld = async ({ url }: Pick<MockServer, 'url'>, options: object = {}) => {
  const made = await requestJson(`${url}/__mock/worlds`, { method: 'POST', body: JSON.stringify(options) });
  const world = made.data as unknown as World;
  return {
    ...world,
    api: (path: string, init?: RequestInit) =>
      requestJson(`${world.baseUrl}/api/v2/public/${path}`, { key: world.apiKey, ...init }),
    control: (method: string, name: string, body?: unknown) =>
      requestJson(`${world.baseUrl}/__mock/${name}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
};
