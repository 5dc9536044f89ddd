import type { IncomingMessage } from 'node:http';
import { MockError } from '../errors/mock-error.ts';
import { invalid, payloadTooLarge, Refusal } from '../errors/refusal.ts';
import type { Take } from '../http/capacity.ts';
import { readIncoming } from '../http/incoming.ts';
import type { Stream } from '../http/send.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { jsonResponse } from '../request/envelope.ts';
import type { AdminAccess } from './access.ts';
import { checkAdmin, checkLocal } from './access.ts';
import type { ControlContext } from './context.ts';
import { matchControl, unknownControl } from './endpoints.ts';
import { handlers } from './handlers.ts';
import type { Inspector } from './inspector-files.ts';
import { readControlInput } from './read-input.ts';
import { CONTROL_PREFIX } from './routes.ts';

interface Target {
  readonly context: ControlContext;
  /** The path of the world; empty at the root. */
  readonly prefix: string;
  /** The path below the prefix. */
  readonly path: string;
  readonly access: AdminAccess;
  readonly inspector: Inspector;
  readonly take: Take;
  /** The HTTP method, with GET in place of HEAD. */
  readonly method: string;
  readonly url: URL;
}

interface Result {
  readonly data?: unknown;
  readonly meta?: unknown;
  readonly document?: object;
  readonly stream?: Stream;
}

/** Turns an error of the mock, which the caller's input caused, into a refusal. Any other error is a bug, and becomes a 500. */
const toRefusal = (error: unknown): unknown => {
  if (!(error instanceof MockError)) {
    return error;
  }
  return error.code === 'VERIFICATION_FAILED'
    ? new Refusal(422, 'VERIFICATION_FAILED', error.message)
    : invalid(error.message);
};

/**
 * Reads the page of the inspector, or a file that the page loads; `undefined` for any other request.
 *
 * @throws A {@link Refusal} 403, when the server has no token and {@link checkLocal} refuses the request.
 */
const readInspectorFile = (
  incoming: IncomingMessage,
  { access, inspector, method, path }: Target,
): ServiceResponse | undefined => {
  const isPage = `${path}/`.replace('//', '/') === CONTROL_PREFIX;
  const isForInspector = isPage
    ? incoming.headers.accept?.includes('text/html')
    : path.startsWith(`${CONTROL_PREFIX}inspector/`);
  if (method !== 'GET' || !isForInspector) {
    return undefined;
  }
  if (access.token === undefined) {
    checkLocal(incoming.headers, access);
  }
  return inspector(path);
};

/**
 * Responds to requests to `/__mock/*`, with which tests in any language control a mock server.
 *
 * @throws A {@link Refusal} when the caller has no access, no endpoint has this path, or the input is invalid.
 */
export const handleControl = async (
  incoming: IncomingMessage,
  target: Target,
): Promise<ServiceResponse | Stream> => {
  const file = readInspectorFile(incoming, target);
  if (file !== undefined) {
    return file;
  }
  const { access, context, take, method, url } = target;
  const path = target.path.slice(CONTROL_PREFIX.length);
  const match = matchControl(method, path);
  // The health check needs no access.
  if (match?.endpoint.id !== 'health') {
    checkAdmin(incoming.headers, access);
  }
  if (match === undefined) {
    throw unknownControl(method, path);
  }
  const text = await readIncoming(incoming, take);
  if (text === undefined) {
    throw payloadTooLarge();
  }
  const { endpoint, params } = match;
  const { id, collection, status = 200 } = endpoint;
  const input = readControlInput(endpoint, url.search.slice(1), text);
  if (id === 'events') {
    take('listeners', 1);
  }
  try {
    // The compiler can't tell that this is the input of the operation with this id. The type of `handlers` ensures it.
    const handlerInput = {
      params: { ...params, collection },
      ...input,
      baseUrl: url.origin + target.prefix,
    } as never;
    const result: Result = (await handlers[id](context, handlerInput)) ?? {};
    const { stream, document, ...envelope } = result;
    const body = document ?? { success: true, data: {}, ...envelope };
    return stream ?? jsonResponse(status, JSON.stringify(body));
  } catch (error) {
    throw toRefusal(error);
  }
};
