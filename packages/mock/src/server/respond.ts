import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiDocument } from '../control/api-document.ts';
import type { ControlContext } from '../control/handler.ts';
import { isControl } from '../control/routes.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { jsonResponse } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import { methodOf } from '../request/incoming-request.ts';
import type { Capacity } from './capacity.ts';
import { control } from './control.ts';
import type { AdminAccess } from './control-access.ts';
import type { Cors } from './cors.ts';
import { isPreflight } from './cors.ts';
import { fromIncomingMessage, urlOf } from './incoming.ts';
import type { Inspector } from './inspector.ts';
import { send, sendFailure } from './send.ts';
import type { ServedWorlds } from './served-worlds.ts';
import { splitPath } from './served-worlds.ts';

/**
 * A request that is not for the API: a call of a control endpoint, a request for the OpenAPI document, a CORS preflight,
 * or a request to an unknown world.
 */
export interface OwnRequest {
  /** When it ended, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** The kind of request. A `refused` one was rejected before it reached a world. */
  readonly kind: 'control' | 'description' | 'preflight' | 'refused';
  /** The HTTP method. */
  readonly method: string;
  /** The path and the query, without the keys in them. */
  readonly target: string;
  /** The status of its response. */
  readonly status: number;
}

/** A served mock, with everything that its responses need. */
export interface Served {
  /** The mock at the root of the server. */
  readonly context: ControlContext;
  /** The mocks below it. */
  readonly worlds: ServedWorlds;
  readonly access: AdminAccess;
  readonly inspector: Inspector;
  readonly capacity: Capacity;
  /** `undefined` when pages of other origins may not call the API. */
  readonly cors: Cors | undefined;
  /** Whether plain HTTP is accepted beyond loopback. */
  readonly allowHttp: boolean;
  readonly onOwnRequest: ((request: OwnRequest) => void) | undefined;
}

const NO_CONTENT: ServiceResponse = { status: 204, headers: {}, body: '', ending: 'complete' };

/** Returns the kind of a request to the server itself; undefined for one to the API. */
const kindOf = (
  cors: Cors | undefined,
  { method, path }: { readonly method: string; readonly path: string },
  incoming: IncomingMessage,
): OwnRequest['kind'] | undefined => {
  if (isControl(path)) {
    return 'control';
  }
  if (path === '/openapi.json' && method === 'GET') {
    return 'description';
  }
  return cors !== undefined && isPreflight(incoming) ? 'preflight' : undefined;
};

/** Reports a request that is not one to the API. */
const reportOwn = (
  { onOwnRequest }: Served,
  { mock, world }: ControlContext,
  incoming: IncomingMessage,
  own: Pick<OwnRequest, 'kind' | 'status'>,
): void => {
  const { method = 'GET', headers } = incoming;
  // The inspector reads whenever something changes: in the log of a command, that would hide everything else.
  if (method === 'GET' && headers['x-confab-inspector'] !== undefined) {
    return;
  }
  const { pathname, search } = urlOf(incoming);
  onOwnRequest?.({ ...own, at: mock.clock.now(), method, target: world.secrets.redact(pathname + search) });
};

/** Responds to one request over HTTP. */
export const respond = async (
  served: Served,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { capacity, worlds, cors, allowHttp, access, inspector } = served;
  let { context } = served;
  let kind: OwnRequest['kind'] | undefined;
  let status: number | undefined;
  try {
    const url = urlOf(incoming);
    const { prefix, path } = splitPath(url.pathname);
    const method = methodOf({ method: incoming.method ?? 'GET' });
    const asked = kindOf(cors, { method, path }, incoming);
    kind = asked === 'preflight' ? asked : 'refused';
    // First of all, so that pages can read why their request was refused.
    if (cors !== undefined && asked !== 'control') {
      for (const [name, value] of Object.entries(cors.headers(incoming))) {
        outgoing.setHeader(name, value);
      }
    }
    const share = capacity.begin();
    outgoing.once('close', share.end);
    context = prefix === '' ? context : worlds.at(prefix, outgoing);
    kind = asked;
    if (kind === undefined) {
      const target = { url, prefix, share, allowHttp, loopback: access.loopback };
      send(outgoing, await handle(context.world, fromIncomingMessage(incoming, outgoing, target)));
      return;
    }
    const answer =
      kind === 'control'
        ? await control(incoming, { context, prefix, path, access, inspector, share, method, url })
        : kind === 'description'
          ? jsonResponse(200, JSON.stringify(apiDocument(url.origin + prefix)))
          : NO_CONTENT;
    if (typeof answer === 'function') {
      answer(outgoing);
      status = 200;
    } else {
      send(outgoing, answer);
      ({ status } = answer);
    }
  } catch (error) {
    status = sendFailure(outgoing, error);
  }
  if (kind !== undefined && status !== undefined) {
    reportOwn(served, context, incoming, { kind, status });
  }
};
