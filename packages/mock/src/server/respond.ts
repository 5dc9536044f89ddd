import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlContext } from '../control/control-operation.ts';
import { Refusal } from '../errors/refusal.ts';
import { methodOf } from '../request/call.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { failureResponse, refusalResponse } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { AdminAccess } from './admin.ts';
import type { Capacity, Share } from './capacity.ts';
import { control, isControl } from './control.ts';
import type { Cors } from './cors.ts';
import { isPreflight } from './cors.ts';
import { documentAt } from './documents.ts';
import { callOfIncoming, urlOf } from './incoming.ts';
import type { Inspector } from './inspector.ts';
import type { Located } from './locate.ts';
import { locate } from './locate.ts';
import { send } from './send.ts';
import type { ServedWorlds } from './served-worlds.ts';

/** A request that is not one to the API: to a control endpoint, for a description, a preflight of CORS, or to no world. */
export interface OwnRequest {
  /** When it ended, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** Which of them; `refused` is one that no world has seen. */
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

const ownAnswer = async (
  { access, inspector, cors }: Served,
  { context, prefix, path }: Located,
  incoming: IncomingMessage,
  { url, share }: { readonly url: URL; readonly share: Share },
): Promise<{ kind: OwnRequest['kind']; answer: Awaited<ReturnType<typeof control>> } | undefined> => {
  const method = methodOf({ method: incoming.method ?? 'GET' });
  const baseUrl = url.origin + prefix;
  const document = method === 'GET' ? documentAt({ origin: baseUrl, pathname: path }) : undefined;
  if (document !== undefined) {
    return { kind: 'description', answer: document };
  }
  if (!isControl(path)) {
    const preflight = cors !== undefined && isPreflight(incoming);
    return preflight ? { kind: 'preflight', answer: NO_CONTENT } : undefined;
  }
  return {
    kind: 'control',
    answer: await control(context, incoming, { access, inspector, method, url, baseUrl, path, share }),
  };
};

/** Calls a listener after the response was sent, so that neither its duration nor its exceptions affect the caller. */
export const reportLater =
  <T>(listener: (value: T) => void) =>
  (value: T): void => {
    setImmediate(listener, value);
  };

/** The inspector reads whenever something changes: in the log of a command, that would hide everything else. */
const isFromInspector = (incoming: IncomingMessage): boolean =>
  incoming.method === 'GET' && incoming.headers['x-confab-inspector'] !== undefined;

/** Reports a request that is not one to the API. */
const reportOwn = (
  { onOwnRequest }: Served,
  { mock, world }: ControlContext,
  incoming: IncomingMessage,
  { kind, status }: Pick<OwnRequest, 'kind' | 'status'>,
): void => {
  if (onOwnRequest === undefined || isFromInspector(incoming)) {
    return;
  }
  const { pathname, search } = urlOf(incoming);
  const target = pathname + search;
  onOwnRequest({
    at: mock.clock.now(),
    kind,
    method: incoming.method ?? 'GET',
    target: world.secrets.redact(target),
    status,
  });
};

/** Responds to one request over HTTP. */
export const respond = async (
  served: Served,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  let located: Located | undefined;
  try {
    const share = served.capacity.begin();
    outgoing.once('close', share.end);
    const url = urlOf(incoming);
    located = locate(served, url, outgoing);
    if (served.cors !== undefined && !isControl(located.path)) {
      for (const [name, value] of Object.entries(served.cors.headers(incoming))) {
        outgoing.setHeader(name, value);
      }
    }
    const own = await ownAnswer(served, located, incoming, { url, share });
    if (own === undefined) {
      const { context, prefix } = located;
      const { allowHttp, access } = served;
      const target = { url, prefix, share, allowHttp, loopback: access.loopback };
      const call = callOfIncoming(incoming, outgoing, target);
      send(outgoing, await handle(context.world, call));
      return;
    }
    const { answer } = own;
    if (typeof answer === 'function') {
      answer(located.context.world, outgoing);
    } else {
      send(outgoing, answer);
    }
    const status = typeof answer === 'function' ? 200 : answer.status;
    reportOwn(served, located.context, incoming, { kind: own.kind, status });
  } catch (error) {
    // Usually the caller has gone, perhaps in the middle of its body, and nothing can be sent.
    if (outgoing.headersSent || outgoing.destroyed) {
      outgoing.destroy();
    } else {
      const answer = error instanceof Refusal ? refusalResponse(error, {}) : failureResponse(error, {});
      send(outgoing, answer);
      const kind = located === undefined ? 'refused' : isPreflight(incoming) ? 'preflight' : undefined;
      if (kind !== undefined) {
        reportOwn(served, (located ?? served).context, incoming, { kind, status: answer.status });
      }
    }
  }
};
