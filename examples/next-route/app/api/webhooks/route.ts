import { receiver } from '../../../lib/receiver.ts';

/** Receives deliveries. */
export const POST = (request: Request): Promise<Response> => receiver().fetch(request);
