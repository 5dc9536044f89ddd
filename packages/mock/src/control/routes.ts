/** The path of the control endpoints, below the base URL of a mock. No operation of the API starts with it. */
export const CONTROL_PREFIX = '/__mock/';

/** Whether a path is that of a control endpoint. */
export const isControl = (path: string): boolean => `${path}/`.startsWith(CONTROL_PREFIX);

/**
 * The method and the path of every control operation, below {@link CONTROL_PREFIX}, and the status of its success, if that
 * is not 200. Server, remote client and inspector share them, so that each path is written once; `{collection}` stands for
 * one of {@link COLLECTIONS}.
 */
const ROUTES = {
  health: 'GET health',
  index: 'GET ',
  openapi: 'GET openapi.json',
  api: 'GET api.json',
  info: 'GET info',
  events: 'GET events',
  state: 'GET state',
  'rows.find': 'GET rows/{collection}',
  'rows.create': 'POST rows/{collection} 201',
  'rows.get': 'GET rows/{collection}/{id}',
  'rows.update': 'PATCH rows/{collection}/{id}',
  'rows.delete': 'DELETE rows/{collection}/{id}',
  'requests.list': 'GET requests',
  'requests.count': 'POST requests/count',
  'requests.verify': 'POST requests/verify',
  'requests.clear': 'DELETE requests',
  'deliveries.list': 'GET deliveries',
  'deliveries.redeliver': 'POST deliveries/{id}/redeliver 201',
  inbound: 'POST inbound',
  'keys.list': 'GET keys',
  'keys.create': 'POST keys 201',
  'keys.revoke': 'POST keys/revoke',
  'faults.list': 'GET faults',
  'faults.plan': 'POST faults',
  'faults.clear': 'DELETE faults',
  'faults.remove': 'DELETE faults/{id}',
  'clock.get': 'GET clock',
  'clock.move': 'POST clock',
  'webhooks.list': 'GET webhooks/endpoints',
  'webhooks.add': 'POST webhooks/endpoints 201',
  'webhooks.remove': 'DELETE webhooks/endpoints/{id}',
  'webhooks.emit': 'POST webhooks/emit',
  'webhooks.flush': 'POST webhooks/flush',
  'deliveryFaults.plan': 'POST webhooks/delivery-faults',
  'deliveryFaults.clear': 'DELETE webhooks/delivery-faults',
  'snapshots.list': 'GET snapshots',
  'snapshots.take': 'POST snapshots 201',
  'snapshots.restore': 'POST snapshots/{id}/restore',
  'snapshots.delete': 'DELETE snapshots/{id}',
  reset: 'POST reset',
  'worlds.list': 'GET worlds',
  'worlds.create': 'POST worlds 201',
  'worlds.delete': 'DELETE worlds/{id}',
} as const;

/** The name of a control operation. */
export type RouteId = keyof typeof ROUTES;

export const ROUTE_IDS = Object.keys(ROUTES) as readonly RouteId[];

/** Whether a request asks if the server listens. */
export const isHealthCheck = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && path === CONTROL_PREFIX + routeTo('health').path;

/** The collections of a mock, as they occur in paths. */
export const COLLECTIONS = ['pipelines', 'leads', 'conversations', 'messages', 'agents'] as const;

/** The name of a collection. */
export type CollectionName = (typeof COLLECTIONS)[number];

/** Fields in which `Infinity` means no limit. JSON has no such number, and writes null. */
export const UNLIMITED: readonly string[] = ['rateLimit', 'requests', 'timeout', 'ttlMs'];

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters in the path of a control operation. */
export type RouteParams<Id extends RouteId> = Readonly<Record<NamesIn<(typeof ROUTES)[Id]>, string>>;

/** The method and the path of a control operation, with these parameters filled in, and the status of its success. */
export const routeTo = (id: RouteId, params: Readonly<Record<string, string>> = {}) => {
  const [method = '', path = '', status = '200'] = ROUTES[id].split(' ');
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name];
      return value === undefined ? whole : encodeURIComponent(value);
    }),
    status: Number(status),
  };
};
