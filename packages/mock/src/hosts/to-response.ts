import type { Call } from '../request/call.ts';
import type { Ending, ServiceResponse } from '../request/envelope.ts';
import { isBodiless } from '../request/envelope.ts';
import { turn } from '../world/clock/timers.ts';

/** The first half of a body, after which the connection breaks or stays silent. */
const half = (
  body: string,
  ending: Exclude<Ending, 'complete'>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  let endSilence = () => {};
  return new ReadableStream({
    start(controller) {
      const onAbort = () => {
        endSilence();
        // As with a real connection, an abort also ends the reading of the body.
        controller.error(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    },
    async pull(controller) {
      const cut = () => controller.error(new TypeError('terminated: the mock cut the connection'));
      if (!sent) {
        sent = true;
        controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
      } else if (ending === 'broken') {
        // After the first half, which may have to pass through msw's socket before its reader sees a status.
        await turn();
        cut();
      } else {
        endSilence = ending.begin(cut);
        await new Promise(() => {});
      }
    },
    cancel: () => endSilence(),
  });
};

/** Turns the service's response into a `Response`. */
export const toResponse = (
  { status, headers, body, ending }: ServiceResponse,
  { method, signal }: Pick<Call, 'method' | 'signal'>,
): Response => {
  const bodiless = isBodiless(status) || method === 'HEAD';
  const sent = bodiless ? null : ending === 'complete' ? body : half(body, ending, signal);
  return new Response(sent, { status, headers });
};
