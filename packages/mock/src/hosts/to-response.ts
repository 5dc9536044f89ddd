import type { Answer } from '../request/call.ts';

/** Half of a body, and then the connection breaks. */
const broken = (body: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) {
        controller.error(new TypeError('terminated: the mock broke the connection off'));
        return;
      }
      sent = true;
      controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
    },
  });
};

export const toResponse = ({ status, headers, body, truncated }: Answer): Response => {
  // The platform refuses a body with these.
  const bodiless = status === 204 || status === 205 || status === 304;
  return new Response(bodiless ? null : truncated ? broken(body) : body, { status, headers });
};
