import type { Answer, Ending } from '../request/call.ts';
import { turn } from '../world/turn.ts';

/** Half of a body; then the connection breaks, or nothing more comes. */
const half = (
  body: string,
  ending: Exclude<Ending, 'whole'>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  return new ReadableStream({
    start(controller) {
      // As with a real connection, an abort ends the reading of the body too.
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
      } else if (ending === 'broken') {
        // Later than the first half, which may have to pass through msw's socket before its reader sees a status.
        await turn();
        controller.error(new TypeError('terminated: the mock broke the connection off'));
      } else await new Promise(() => {});
    },
    cancel() {
      if (ending !== 'broken') ending.givenUp();
    },
  });
};

/** Whether answers of this status have no body; the platform refuses one with these. */
export const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** @param signal Of the request. */
export const toResponse = (
  { status, headers, body, ending }: Answer,
  signal: AbortSignal | undefined,
): Response => {
  const sent = isBodiless(status) ? null : ending === 'whole' ? body : half(body, ending, signal);
  return new Response(sent, { status, headers });
};
