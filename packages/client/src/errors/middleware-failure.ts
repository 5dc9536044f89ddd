/**
 * What `kyFetch` rejects with when a hook or an option of the ky instance has failed, and not the connection. It never
 * reaches the caller, because its cause may contain the request.
 */
export class MiddlewareFailure extends Error {
  override readonly name = 'MiddlewareFailure';
  readonly code = 'MIDDLEWARE_FAILED';
  /** Status of the response; undefined when nothing was sent. */
  readonly status: number | undefined;

  constructor(cause: unknown, status: number | undefined) {
    super('The ky instance failed', { cause });
    this.status = status;
  }
}
