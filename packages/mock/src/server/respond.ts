import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodOf } from '../http/call.ts';
import { failureResponse, refusalResponse } from '../http/envelope.ts';
import { Refusal } from '../http/refusal.ts';
import type { ServiceResponse } from '../http/service-response.ts';
import { handle } from '../request/handle.ts';
import type { World } from '../world/world.ts';
import type { Capacity, Share } from './capacity.ts';
import type { Controlled } from './control.ts';
import { control, isControl } from './control.ts';
import { callOfIncoming, urlOf } from './incoming.ts';
import { OPENAPI_PATH, openapiAnswer } from './openapi.ts';
import { send } from './send.ts';

/** A request that was not to the API: to a control endpoint, or for the description of the API. */
export interface OwnRequest {
  /** When it was answered, in milliseconds since 1970 on the clock of the mock. */
  readonly at: number;
  readonly kind: 'control' | 'description';
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
}

/** A mock that is served, and all that answering for it takes. */
export interface Served extends Controlled {
  readonly world: World;
  readonly capacity: Capacity;
  readonly onOwnRequest: ((request: OwnRequest) => void) | undefined;
}

const ownAnswer = async (
  served: Served,
  incoming: IncomingMessage,
  { url, share }: { readonly url: URL; readonly share: Share },
): Promise<{ kind: OwnRequest['kind']; answer: ServiceResponse } | undefined> => {
  const method = methodOf({ method: incoming.method ?? 'GET' });
  if (method === 'GET' && url.pathname === OPENAPI_PATH) {
    return { kind: 'description', answer: openapiAnswer(url.origin, served.world.store) };
  }
  if (!isControl(url.pathname)) {
    return undefined;
  }
  return { kind: 'control', answer: await control(served, incoming, { method, url, share }) };
};

/** Calls a listener once the answer is out: however long it takes, and whatever it throws, the caller has it. */
export const reportLater =
  <T>(listener: (value: T) => void) =>
  (value: T): void => {
    setImmediate(listener, value);
  };

/** Answers one request over TCP. */
export const respond = async (
  served: Served,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  try {
    const share = served.capacity.begin();
    outgoing.once('close', share.end);
    const url = urlOf(incoming);
    const own = await ownAnswer(served, incoming, { url, share });
    if (own === undefined) {
      send(outgoing, await handle(served.world, callOfIncoming(incoming, outgoing, { url, share })));
      return;
    }
    send(outgoing, own.answer);
    served.onOwnRequest?.({
      at: served.mock.clock.now(),
      kind: own.kind,
      method: incoming.method ?? 'GET',
      target: url.pathname + url.search,
      status: own.answer.status,
    });
  } catch (error) {
    // Most often the caller has gone, in the middle of its body even; nobody reads this then.
    if (outgoing.headersSent || outgoing.destroyed) {
      outgoing.destroy();
    } else {
      send(outgoing, error instanceof Refusal ? refusalResponse(error, {}) : failureResponse(error, {}));
    }
  }
};
