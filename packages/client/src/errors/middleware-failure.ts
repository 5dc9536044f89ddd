/** The outcome of an attempt, as a {@link MiddlewareFailure} reports it. */
export interface MiddlewareOutcome {
  readonly kind: 'middleware';
  /** What happened to the call, to follow its name: "was not sent, because …". */
  readonly message: string;
  /** Whether the instance has to be changed, because it asked for something that only the client does. */
  readonly refused: boolean;
  /** Status of the response; undefined when nothing was sent. */
  readonly status: number | undefined;
}

/**
 * `kyFetch` rejects with this error when a hook or an option of the ky instance fails, rather than the connection. It never
 * reaches the caller, because its cause may contain the request.
 */
export class MiddlewareFailure extends Error {
  override readonly name = 'MiddlewareFailure';
  readonly code = 'KY_FAILED';
  readonly outcome: MiddlewareOutcome;

  constructor(outcome: MiddlewareOutcome, cause: unknown) {
    super(outcome.message, { cause });
    this.outcome = outcome;
  }
}
