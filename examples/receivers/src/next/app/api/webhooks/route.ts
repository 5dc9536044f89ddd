import { getWebhooks } from '../../../server.ts';

/** Receives webhook deliveries. */
export const POST = (request: Request): Promise<Response> => getWebhooks().fetch(request);
