import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkControlBody, checkControlQuery } from '../control/check-control-input.ts';
import { controlDocument } from '../control/control-document.ts';
import type { ControlContext, ControlResult } from '../control/control-operation.ts';
import { matchControl } from '../control/match-control.ts';
import { OTHER_ENDPOINTS } from '../control/other-endpoints.ts';
import { CONTROL_PREFIX, routeTo } from '../control/routes.ts';
import { CONTROLS } from '../control/table.ts';
import { MockError } from '../errors/mock-error.ts';
import { invalid, payloadTooLarge, Refusal } from '../errors/refusal.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { jsonResponse, refusalResponse } from '../request/envelope.ts';
import type { World } from '../world/world.ts';
import type { AdminAccess } from './admin.ts';
import { checkAdmin, checkLocal } from './admin.ts';
import type { Share } from './capacity.ts';
import { streamChanges } from './change-stream.ts';
import { documentWithRows } from './documents.ts';
import { streamEvents } from './event-stream.ts';
import { healthResponse, isHealthCheck } from './health.ts';
import { headerOf, readIncoming } from './incoming.ts';
import type { Inspector } from './inspector.ts';

interface Target {
  readonly access: AdminAccess;
  readonly inspector: Inspector;
  readonly share: Share;
  /** GET for a HEAD. */
  readonly method: string;
  readonly url: URL;
  /** The base URL of the mock, as the caller reached it. */
  readonly baseUrl: string;
  /** The path below the base URL. */
  readonly path: string;
}

/** Sends a response that goes on until the caller goes away. */
type Stream = (world: World, outgoing: ServerResponse) => void;

/** Endpoints whose response is a stream. */
const STREAMS = { events: streamEvents, changes: streamChanges } as const;

/** Whether a path is that of a control endpoint. */
export const isControl = (path: string): boolean => `${path}/`.startsWith(CONTROL_PREFIX);

const list = (): ControlResult => ({
  data: {
    endpoints: [...OTHER_ENDPOINTS, ...CONTROLS].map(({ method, path, summary }) => ({
      method,
      path: CONTROL_PREFIX + path,
      description: summary,
    })),
  },
});

const enveloped = (status: number, result: ControlResult): ServiceResponse =>
  jsonResponse(status, JSON.stringify({ success: true, ...result }));

/** The refusal for an error of the mock: its cause is what the caller sent. */
const toRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) {
    return error;
  }
  if (error instanceof MockError && error.code === 'VERIFICATION_FAILED') {
    return new Refusal(422, 'VERIFICATION_FAILED', error.message);
  }
  return invalid(error instanceof Error ? error.message : String(error));
};

const runControl = async (
  context: ControlContext,
  incoming: IncomingMessage,
  { method, url, path: whole, baseUrl, share }: Target,
): Promise<ServiceResponse> => {
  const path = whole.slice(CONTROL_PREFIX.length);
  const { control, params } = matchControl(CONTROLS, { method, path }, OTHER_ENDPOINTS);
  const text = await readIncoming(incoming, share);
  if (text === undefined) {
    throw payloadTooLarge();
  }
  const input = {
    params,
    query: checkControlQuery(control, url.search.slice(1)),
    body: checkControlBody(control, text),
    baseUrl,
  };
  try {
    return enveloped(control.status, await control.run(context, input));
  } catch (error) {
    throw toRefusal(error);
  }
};

/** The page finds its files by relative paths, because worlds have it too. */
const REDIRECT: ServiceResponse = {
  status: 308,
  headers: { location: '__mock/' },
  body: '',
  ending: 'complete',
};

const wantsPage = (incoming: IncomingMessage): boolean =>
  headerOf(incoming, 'accept')?.includes('text/html') ?? false;

/**
 * The page of the inspector, or a file that it loads. They contain no secret, and the page has to ask for the admin token,
 * so they need none.
 *
 * @throws {@link Refusal} 403, when no token protects the mock, and the request comes from elsewhere or names another host.
 * @throws {@link Refusal} 404, when its files are missing.
 */
const inspectorFile = (
  incoming: IncomingMessage,
  { access, inspector, path: whole }: Target,
): ServiceResponse | undefined => {
  const path = whole.slice(CONTROL_PREFIX.length);
  const isPage = path === '' && wantsPage(incoming);
  if (!(isPage || path.startsWith('inspector/'))) {
    return undefined;
  }
  if (access.token === undefined) {
    checkLocal((name) => headerOf(incoming, name), access);
  }
  if (isPage && !whole.endsWith('/')) {
    return REDIRECT;
  }
  return isPage ? inspector.page() : inspector.file(path);
};

const run = async (
  context: ControlContext,
  incoming: IncomingMessage,
  target: Target,
): Promise<ServiceResponse | Stream> => {
  const { method, baseUrl } = target;
  const path = target.path.slice(CONTROL_PREFIX.length);
  const isGet = (name: string) => method === 'GET' && path === name;
  if (isHealthCheck(method, target.path)) {
    return healthResponse();
  }
  const file = method === 'GET' ? inspectorFile(incoming, target) : undefined;
  if (file !== undefined) {
    return file;
  }
  checkAdmin((name) => headerOf(incoming, name), target.access);
  if (isGet('')) {
    return enveloped(200, list());
  }
  for (const id of ['events', 'changes'] as const) {
    if (isGet(routeTo(id).path)) {
      target.share.listen();
      return STREAMS[id];
    }
  }
  if (isGet(routeTo('openapi').path)) {
    return jsonResponse(200, JSON.stringify(controlDocument(CONTROLS, baseUrl)));
  }
  if (isGet(routeTo('api').path)) {
    return documentWithRows(baseUrl, context.world.store);
  }
  return runControl(context, incoming, target);
};

/** Responds to `/__mock/*`, with which tests in any language control a served mock. */
export const control = async (
  context: ControlContext,
  incoming: IncomingMessage,
  target: Target,
): Promise<ServiceResponse | Stream> => {
  try {
    return await run(context, incoming, target);
  } catch (error) {
    if (error instanceof Refusal) {
      return refusalResponse(error);
    }
    throw error;
  }
};
