import type { PartOf } from '../../../src/control/endpoint-types.ts';
import type { RouteId } from '../../../src/control/routes.ts';
import { routeTo } from '../../../src/control/routes.ts';
import { adminToken, locked } from './token.ts';

/** The response of a successful call. */
export interface Reply<Id extends RouteId> {
  readonly data: PartOf<Id, 'data'>;
  readonly meta: PartOf<Id, 'meta'>;
}

/** The input of a call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/**
 * Sends a request. Shows the form for the admin token if the request needs one.
 *
 * @param path The path relative to the page, which a world may serve.
 * @throws An {@link Error} when the server can't be reached.
 */
export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(new URL(path, document.baseURI), {
    ...init,
    headers: {
      accept: 'application/json',
      ...init.headers,
      // With this header, the server leaves the request out of its log.
      'x-confab-inspector': '1',
      ...(adminToken.value === undefined ? {} : { 'x-admin-token': adminToken.value }),
    },
  }).catch(() => {
    throw new Error('The mock did not respond. Is it still running?');
  });
  if (response.status === 401) {
    locked.value = true;
  }
  return response;
};

/**
 * Reads the JSON of a success.
 *
 * @throws An {@link Error} when the server has refused the request; its message says why.
 */
export const readJson = async <T>(response: Response): Promise<T> => {
  const json = (await response.json().catch(() => ({}))) as T & { readonly error?: string };
  if (!response.ok) {
    throw new Error(json.error ?? `The server returned ${response.status}.`);
  }
  return json;
};

/**
 * Calls a control endpoint.
 *
 * @throws An {@link Error} when the server can't be reached, or refuses the call; its message says why.
 */
export const call = async <Id extends RouteId>(
  id: Id,
  { params, query = {}, body }: CallInput = {},
): Promise<Reply<Id>> => {
  const { method, path } = routeTo(id, params);
  const parameters = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
  const response = await send(`${path}?${search}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return readJson(response);
};

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
