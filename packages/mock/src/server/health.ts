import { CONTROL_PREFIX, routeTo } from '../control/routes.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { jsonResponse } from '../request/envelope.ts';

const PATH = CONTROL_PREFIX + routeTo('health').path;

/** Whether a request asks if the server listens. It needs no token, because the response reveals nothing else. */
export const isHealthCheck = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && path === PATH;

/** The response to a health check. */
export const healthResponse = (): ServiceResponse =>
  jsonResponse(200, JSON.stringify({ success: true, data: { status: 'ok' } }));
