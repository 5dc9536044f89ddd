import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRedact, isLoopback } from '@confab/internal';
import { apiDocument } from '../control/api-document.ts';
import type { ControlContext } from '../control/context.ts';
import { handleControl } from '../control/handle-control.ts';
import { createInspector } from '../control/inspector-files.ts';
import { isControl } from '../control/routes.ts';
import { Capacity } from '../http/capacity.ts';
import { corsHeaders, isPreflight } from '../http/cors.ts';
import { fromIncomingMessage, urlOf } from '../http/incoming.ts';
import type { Stream } from '../http/send.ts';
import { send, sendFailure } from '../http/send.ts';
import type { NetworkError, ServiceResponse } from '../request/envelope.ts';
import { jsonResponse } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import { API_PATH, parseTarget, toRoutedMethod } from '../request/incoming-request.ts';
import type { ListenOptions, NonApiRequest } from './serve-options.ts';
import type { ServedWorlds } from './served-worlds.ts';
import { splitPath } from './served-worlds.ts';

const NO_CONTENT: ServiceResponse = { status: 204, headers: {}, body: '' };

/** The response at the base URL, for people who open it and programs that poll it until the server listens. */
const welcome = (base: string): ServiceResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `This is confab-mock. The API begins at ${base}${API_PATH}.\nThe inspector is at ${base}/__mock/, the OpenAPI document at ${base}/openapi.json.\n`,
});

const classify = (
  incoming: IncomingMessage,
  method: string,
  path: string,
  cors: ListenOptions['cors'],
): NonApiRequest['kind'] | 'api' => {
  if (isControl(path)) {
    return 'control';
  }
  if (/^(?:\/|\/openapi\.json)?$/.test(path) && method === 'GET') {
    return 'description';
  }
  return cors !== false && isPreflight(incoming) ? 'preflight' : 'api';
};

/**
 * Creates the function that responds to each request over HTTP.
 *
 * @param root The mock at the root of the server.
 * @param worlds The worlds below the root.
 */
export const createListener = (
  root: ControlContext,
  worlds: ServedWorlds,
  options: ListenOptions & { readonly host: string },
): RequestListener => {
  const { cors = false, allowHttp = false, onNonApiRequest } = options;
  const access = { token: options.adminToken, loopback: isLoopback(options.host), origins: cors };
  const inspector = createInspector(options.inspectorFolder);
  const capacity = new Capacity(options.limits);

  const reportNonApiRequest = (
    kind: NonApiRequest['kind'],
    { method = 'GET', headers }: IncomingMessage,
    { headersSent, statusCode: status }: ServerResponse,
    url: URL,
    { mock, world }: ControlContext,
  ): void => {
    // The inspector reads whenever something changes, which would hide everything else in the log of the command.
    const isInspectorRead = method === 'GET' && headers['x-confab-inspector'] !== undefined;
    if (onNonApiRequest !== undefined && headersSent && !isInspectorRead) {
      const target = createRedact([...world.adminTokens])(url.pathname + url.search);
      // Called later, so that neither its duration nor its exceptions affect the caller.
      setImmediate(onNonApiRequest, { at: mock.clock.now(), kind, method, target, status });
    }
  };

  return async (incoming, outgoing) => {
    const url = urlOf(incoming);
    const { prefix, path } = splitPath(url.pathname);
    const method = toRoutedMethod({ method: incoming.method ?? 'GET' });
    const kind = classify(incoming, method, path, cors);
    let context: ControlContext | undefined;
    try {
      // Set first, so that pages can read why their request was refused.
      if (kind !== 'control') {
        outgoing.setHeaders(new Map(Object.entries(corsHeaders(cors, incoming))));
      }
      const take = capacity.begin(outgoing);
      context = prefix === '' ? root : worlds.find(prefix, outgoing);
      let response: ServiceResponse | NetworkError | Stream = NO_CONTENT;
      if (kind === 'api') {
        const target = parseTarget(url, prefix);
        // No header counts as TLS: anyone may send `x-forwarded-proto`.
        const secure = target.secure || allowHttp;
        const request = fromIncomingMessage(incoming, outgoing, { ...target, secure }, take);
        response = await handle(context.world, request);
      } else if (kind === 'control') {
        response = await handleControl(incoming, {
          context,
          prefix,
          path,
          access,
          inspector,
          take,
          method,
          url,
        });
      } else if (kind === 'description') {
        const base = url.origin + prefix;
        response =
          path === '/openapi.json' ? jsonResponse(200, JSON.stringify(apiDocument(base))) : welcome(base);
      }
      send(outgoing, response);
    } catch (error) {
      sendFailure(outgoing, error);
    }

    const reported = context === undefined && kind !== 'preflight' ? 'refused' : kind;
    if (reported !== 'api') {
      reportNonApiRequest(reported, incoming, outgoing, url, context ?? root);
    }
  };
};
