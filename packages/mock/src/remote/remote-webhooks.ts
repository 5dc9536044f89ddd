import type { SignatureOptions } from '@confab/webhooks';
import type { MockWebhooks } from '../mock.ts';
import type { Endpoint, ListedEndpoint } from '../world/webhooks/endpoint.ts';
import type { Call } from './call.ts';
import { checkObject, checkText } from './check-arguments.ts';
import type { Remote } from './remote.ts';

/** An endpoint for a served mock: without what can't be sent. */
export interface RemoteEndpoint extends Omit<Endpoint, 'fetch' | 'secret' | 'signature'> {
  /** The secret that deliveries are signed with. */
  readonly secret: string;
  /**
   * The header and the encoding of the signature, or `'standard-webhooks'`.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: SignatureOptions | 'standard-webhooks' | undefined;
}

/** An endpoint of a served mock, without its secret. */
export interface RemoteListedEndpoint extends Omit<ListedEndpoint, 'signature'> {
  /** The options of the signature, or the source of its scheme: `'standardWebhooks()'`. */
  readonly signature: SignatureOptions | string;
}

/** Delivers the events of a served mock to endpoints, and records how. */
export interface RemoteWebhooks
  extends Remote<Omit<MockWebhooks, 'add' | 'endpoints' | 'flush' | 'deliveryFaults'>> {
  /**
   * Adds an endpoint, to which all events from now on are delivered.
   *
   * @returns The id of the endpoint, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   */
  add(endpoint: RemoteEndpoint): Promise<string>;
  /** Lists the endpoints, without their secrets. */
  endpoints(): Promise<readonly RemoteListedEndpoint[]>;
  /**
   * Resolves once every delivery is delivered or has failed, as `flush()` of a mock does.
   *
   * @throws {@link MockError} `DELIVERIES_PENDING`, when some are still pending after the `timeoutMs` of the connection, or
   * after five minutes. On the system clock, retries take real time.
   */
  flush(): Promise<void>;
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults: Remote<MockWebhooks['deliveryFaults']>;
}

/** As many entries as a mock keeps. */
const ALL = '10000';

/** The longest flush of a server, in milliseconds. */
const LONGEST_FLUSH = 300_000;

/** Milliseconds in which a server responds after the end of a flush. */
const GRACE = 10_000;

/** @internal */
export const remoteWebhooks = (call: Call): RemoteWebhooks => ({
  add: async (endpoint) => {
    checkObject('webhooks.add()', endpoint, 'an endpoint, such as { url, secret }');
    return (await call<{ id: string }>('webhooks.add', { body: endpoint })).data.id;
  },
  remove: async (id) => {
    checkText('webhooks.remove()', id, 'the id that webhooks.add() returned');
    return call.existed('webhooks.remove', { params: { id } });
  },
  endpoints: async () => {
    const { data } = await call<RemoteListedEndpoint[]>('webhooks.list');
    // JSON has no `Infinity`.
    return data.map((endpoint) => ({ ...endpoint, timeout: endpoint.timeout ?? Number.POSITIVE_INFINITY }));
  },
  emit: async (event, data) => {
    checkText('webhooks.emit()', event, "the name of an event, such as 'order.paid'");
    await call('webhooks.emit', { body: { event, data } });
  },
  flush: async () => {
    const timeoutMs = Math.min(Math.ceil(call.timeoutMs), LONGEST_FLUSH);
    await call('webhooks.flush', { query: { timeoutMs: String(timeoutMs) }, grace: GRACE });
  },
  deliveries: async () => (await call<never>('deliveries.list', { query: { limit: ALL } })).data,
  redeliver: async (id) => {
    checkText('webhooks.redeliver()', id, 'the id of a delivery');
    return (await call<never>('deliveries.redeliver', { params: { id } })).data;
  },
  deliveryFaults: {
    once: async (fault) => {
      checkObject('deliveryFaults.once()', fault, 'a fault, such as { copies: 2 }');
      await call('deliveryFaults.plan', { body: fault });
    },
    clear: async () => {
      await call('deliveryFaults.clear');
    },
  },
});
