import type { RouteId } from '../../../src/control/routes.ts';
import { routeTo } from '../../../src/control/routes.ts';
import { adminToken, locked } from './token.ts';

/** A refused or failed call to a control endpoint. */
export class CallError extends Error {
  override name = 'CallError';
}

/** The success of a call. */
export interface Reply<T> {
  readonly data: T;
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number };
}

/** What a call sends. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** The headers of every request: the token, and a mark by which the server keeps its log free of this page. */
export const authorization = (): Record<string, string> => ({
  'x-confab-inspector': '1',
  ...(adminToken.value === undefined ? {} : { 'x-admin-token': adminToken.value }),
});

const addressOf = (path: string, query: CallInput['query'] = {}): URL => {
  // Relative to the page, which may be that of a world.
  const url = new URL(path === '' ? '.' : path, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') {
      url.searchParams.set(name, String(value));
    }
  }
  return url;
};

const readReply = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new CallError(`The server returned ${response.status}, and a body that is not JSON.`);
  }
};

/** Checks for a refusal, and shows the form for the token if it lacks one. */
export const checkAccess = (response: Response): void => {
  if (response.status === 401) {
    locked.value = true;
  }
};

/**
 * Calls a control endpoint.
 *
 * @throws {@link CallError} When the server can't be reached, or refuses the call; its message says why.
 */
export const call = async <T>(id: RouteId, { params, query, body }: CallInput = {}): Promise<Reply<T>> => {
  const { method, path } = routeTo(id, params);
  const response = await fetch(addressOf(path, query), {
    method,
    headers: {
      accept: 'application/json',
      ...authorization(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallError('The mock did not respond. Is it still running?');
  });
  checkAccess(response);
  const reply = (await readReply(response)) as Reply<T> & { readonly error?: string };
  if (!response.ok) {
    throw new CallError(reply.error ?? `The server returned ${response.status}.`);
  }
  return reply;
};
