/** The outcome of an attempt, as a {@link MiddlewareFailure} reports it. */
export type MiddlewareOutcome = {
  readonly kind: 'middleware';
  /** What happened to the call, to follow its name: "was not sent, because …". */
  readonly message: string;
} & (
  | {
      /** The instance has to be changed: it prevented the request, or asked for something that only the client does. */
      readonly refused: true;
      /** Status of the response; undefined when nothing was sent. */
      readonly status: number | undefined;
    }
  | { readonly refused: false; readonly status: number }
);

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
