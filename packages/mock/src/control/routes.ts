import type { ControlOperations } from './endpoint-types.ts';

/** The path of the control endpoints, below the base URL of a mock. No operation of the API starts with it. */
export const CONTROL_PREFIX = '/__mock/';

/** Whether a path is that of a control endpoint. */
export const isControl = (path: string): boolean => `${path}/`.startsWith(CONTROL_PREFIX);

interface Route {
  readonly method: string;
  /** Below {@link CONTROL_PREFIX}. `{collection}` stands for the name of a resource. */
  readonly path: string;
  /**
   * The status of a success.
   * @default 200
   */
  readonly status?: number;
  /** Whether it reads a body. */
  readonly body?: true;
  /** The parameters of its query; those of a resource have its fields too. */
  readonly query?: Readonly<Record<string, 'text' | 'integer'>>;
}

/** A route that agrees with the types of its operation. */
type RouteOf<Operation> = Omit<Route, 'body' | 'query'> &
  (Operation extends { readonly body: unknown } ? { readonly body: true } : { readonly body?: never }) &
  (Operation extends { readonly query: infer Query }
    ? {
        readonly query: {
          readonly [Name in keyof Query]-?: NonNullable<Query[Name]> extends number ? 'integer' : 'text';
        };
      }
    : { readonly query?: never });

const PAGING = { limit: 'integer', offset: 'integer' } as const;

/** The routes of the control operations. The server, the remote client and the inspector share them. */
const ROUTES = {
  health: { method: 'GET', path: 'health' },
  index: { method: 'GET', path: '' },
  openapi: { method: 'GET', path: 'openapi.json' },
  api: { method: 'GET', path: 'api.json' },
  info: { method: 'GET', path: 'info' },
  events: { method: 'GET', path: 'events' },
  state: { method: 'GET', path: 'state' },
  'rows.find': {
    method: 'GET',
    path: 'rows/{collection}',
    query: { id: 'text', where: 'text', search: 'text', ...PAGING },
  },
  'rows.create': { method: 'POST', path: 'rows/{collection}', status: 201, body: true },
  'rows.get': { method: 'GET', path: 'rows/{collection}/{id}' },
  'rows.update': { method: 'PATCH', path: 'rows/{collection}/{id}', body: true },
  'rows.delete': { method: 'DELETE', path: 'rows/{collection}/{id}' },
  'requests.list': {
    method: 'GET',
    path: 'requests',
    query: { operation: 'text', status: 'integer', method: 'text', ...PAGING },
  },
  'requests.count': { method: 'POST', path: 'requests/count', body: true },
  'requests.verify': { method: 'POST', path: 'requests/verify', body: true },
  'requests.clear': { method: 'DELETE', path: 'requests' },
  'deliveries.list': {
    method: 'GET',
    path: 'deliveries',
    query: { event: 'text', state: 'text', ...PAGING },
  },
  'deliveries.redeliver': { method: 'POST', path: 'deliveries/{id}/redeliver', status: 201 },
  inbound: { method: 'POST', path: 'inbound', body: true },
  'keys.list': { method: 'GET', path: 'keys' },
  'keys.create': { method: 'POST', path: 'keys', status: 201, body: true },
  'keys.revoke': { method: 'POST', path: 'keys/revoke', body: true },
  'faults.list': { method: 'GET', path: 'faults' },
  'faults.plan': { method: 'POST', path: 'faults', body: true },
  'faults.clear': { method: 'DELETE', path: 'faults' },
  'faults.remove': { method: 'DELETE', path: 'faults/{id}' },
  'clock.get': { method: 'GET', path: 'clock' },
  'clock.move': { method: 'POST', path: 'clock', body: true },
  'webhooks.list': { method: 'GET', path: 'webhooks/endpoints' },
  'webhooks.add': { method: 'POST', path: 'webhooks/endpoints', status: 201, body: true },
  'webhooks.remove': { method: 'DELETE', path: 'webhooks/endpoints/{id}' },
  'webhooks.emit': { method: 'POST', path: 'webhooks/emit', body: true },
  'webhooks.flush': { method: 'POST', path: 'webhooks/flush', query: { timeoutMs: 'integer' } },
  'deliveryFaults.plan': { method: 'POST', path: 'webhooks/delivery-faults', body: true },
  'deliveryFaults.list': { method: 'GET', path: 'webhooks/delivery-faults' },
  'deliveryFaults.remove': { method: 'DELETE', path: 'webhooks/delivery-faults/{id}' },
  'deliveryFaults.clear': { method: 'DELETE', path: 'webhooks/delivery-faults' },
  'snapshots.list': { method: 'GET', path: 'snapshots' },
  'snapshots.take': { method: 'POST', path: 'snapshots', status: 201 },
  'snapshots.restore': { method: 'POST', path: 'snapshots/{id}/restore' },
  'snapshots.delete': { method: 'DELETE', path: 'snapshots/{id}' },
  reset: { method: 'POST', path: 'reset' },
  'worlds.list': { method: 'GET', path: 'worlds' },
  'worlds.create': { method: 'POST', path: 'worlds', status: 201, body: true },
  'worlds.delete': { method: 'DELETE', path: 'worlds/{id}' },
} as const satisfies { readonly [Id in keyof ControlOperations]: RouteOf<ControlOperations[Id]> };

/** The name of a control operation. */
export type RouteId = keyof typeof ROUTES;

export const ROUTE_IDS = Object.keys(ROUTES) as readonly RouteId[];

/** Whether a request is a health check. */
export const isHealthCheck = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && path === CONTROL_PREFIX + routeTo('health').path;

/** Fields in which `Infinity` means no limit. JSON has no such number, and writes null. */
export const UNLIMITED: readonly string[] = ['rateLimit', 'requests', 'timeout', 'ttlMs'];

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters in the path of a control operation. */
export type RouteParams<Id extends RouteId> = Readonly<Record<NamesIn<(typeof ROUTES)[Id]['path']>, string>>;

/** Returns the route of a control operation, with these parameters in its path. */
export const routeTo = (id: RouteId, params: Readonly<Record<string, string>> = {}): Route => {
  const route: Route = ROUTES[id];
  const path = route.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });
  return { ...route, path };
};
