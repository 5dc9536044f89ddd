/** What a {@link MiddlewareFailure} says about an attempt. */
export interface Middleware {
  /** What happened to the call, to follow its name: "was not sent, because …". */
  readonly what: string;
  /** Status of the response; undefined when nothing was sent. */
  readonly status: number | undefined;
  /** True when a hook asked for something that only the client does. */
  readonly refused: boolean;
}

/**
 * What `kyFetch` rejects with when a hook or an option of the ky instance has failed, and not the connection. It never
 * reaches the caller, because its cause may contain the request.
 */
export class MiddlewareFailure extends Error {
  readonly middleware: Middleware;

  constructor(middleware: Middleware, cause: unknown) {
    super(middleware.what, { cause });
    this.middleware = middleware;
  }
}
