/** Codes that the API names. */
export type NamedCode = 'API_KEY_REQUIRED' | 'API_KEY_INVALID' | 'SCOPE_REQUIRED' | 'RATE_LIMIT_EXCEEDED';

/** Codes that the mock chose, because the API does not name them. */
export type ChosenCode =
  | 'INVALID_PARAMETERS'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'HTTPS_REQUIRED'
  | 'ADMIN_TOKEN_REQUIRED'
  | 'ADMIN_TOKEN_INVALID'
  | 'ORIGIN_REFUSED'
  | 'PAYLOAD_TOO_LARGE'
  | 'VERIFICATION_FAILED'
  | 'DELIVERIES_PENDING'
  | 'WORLD_NOT_FOUND'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** Thrown to end a request with an error response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: NamedCode | ChosenCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: NamedCode | ChosenCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const httpsRequired = (): Refusal =>
  new Refusal(
    403,
    'HTTPS_REQUIRED',
    'Plain HTTP is not accepted; use https. A mock accepts it with `allowHttp` of serve(), or --allow-http',
  );

export const invalid = (message: string): Refusal => new Refusal(400, 'INVALID_PARAMETERS', message);

export const notFound = (message: string): Refusal => new Refusal(404, 'NOT_FOUND', message);

/** @throws A {@link Refusal} 404, when nothing was found. */
export const orNotFound = <T>(found: T | undefined | false, message: string): T => {
  if (found === undefined || found === false) {
    throw notFound(message);
  }
  return found;
};

export const payloadTooLarge = (): Refusal =>
  new Refusal(413, 'PAYLOAD_TOO_LARGE', 'The body must not be larger than 1 MiB');
