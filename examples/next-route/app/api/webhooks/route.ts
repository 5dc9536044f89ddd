import { receiver } from '../../../lib/receiver.ts';

/** Receives webhook deliveries. */
export const POST = (request: Request): Promise<Response> => receiver().fetch(request);
