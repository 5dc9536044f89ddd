/** The error of a connection that broke. */
export const broken = (what: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(what), { code: 'ECONNRESET' }) });

/** Sends the first half of a body. The returned functions send the rest, or break the connection. */
export const sendHalf = (body: string) => {
  const bytes = new TextEncoder().encode(body);
  const half = bytes.length >>> 1;
  let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let canceled = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(started) {
      controller = started;
      if (half > 0) {
        started.enqueue(bytes.slice(0, half));
      }
    },
    cancel() {
      canceled = true;
    },
  });
  return {
    stream,
    finish(): void {
      if (!canceled) {
        controller.enqueue(bytes.slice(half));
        controller.close();
      }
    },
    fail: (error: unknown): void => controller.error(error),
  };
};
