import type { OperationId } from './contract/index.ts';
import { ErrorEnvelopeSchema } from './contract/index.ts';
import type { ApiError } from './errors/index.ts';
import {
  AuthenticationError,
  BadRequestError,
  ApiError as BaseApiError,
  ConflictError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './errors/index.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';

/** A body that says success. `meta` is looked at by whoever expects one. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly meta?: unknown;
}

/** The whole answer to one attempt. */
export interface Answer {
  readonly operation: OperationId;
  readonly attempts: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Enough of a body to see what answered: an HTML page of a proxy, say. Redacted first: half a key is a leak too. */
const excerpt = (text: string): string =>
  text.trim() === ''
    ? 'an empty body'
    : `a body that starts with ${JSON.stringify(text.trimStart().slice(0, 60))}`;

/** @throws {@link InvalidResponseError} unless the body is a success envelope. */
export const decodeSuccess = (
  { operation, status, text }: Answer,
  redact: (text: string) => string,
): SuccessEnvelope => {
  const value = parseJson(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    Reflect.get(value, 'success') === true &&
    'data' in value
  ) {
    return value as SuccessEnvelope;
  }
  throw new InvalidResponseError(
    value === undefined
      ? `${operation} answered ${status} with ${excerpt(redact(text))}, which is not JSON. Is \`baseUrl\` the service itself, and no page or proxy in front of it?`
      : `${operation} answered ${status} without \`success: true\` and \`data\`: ${excerpt(redact(text))}.`,
    { operation, status },
  );
};

/** Characters of a server's own words that go into an error. */
const LONGEST_TEXT = 1_000;
const LONGEST_CODE = 100;

const byStatus: Readonly<Record<number, typeof BaseApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
};

/** The error for a status of 400 and above. Goes by status: the codes of 400, 404 and 409 are not published. */
export const decodeError = (
  {
    operation,
    attempts,
    status,
    headers,
    text,
    rateLimit,
  }: Answer & { readonly rateLimit: RateLimitReading },
  redact: (text: string) => string,
): ApiError => {
  const envelope = ErrorEnvelopeSchema.safeParse(parseJson(text));
  const code = redact(envelope.data?.code ?? `HTTP_${status}`).slice(0, LONGEST_CODE);
  const detail = envelope.data && redact(envelope.data.error).slice(0, LONGEST_TEXT);
  const facts = { status, code, detail, operation, attempts, headers };
  const said = detail === undefined ? `: ${excerpt(redact(text))}` : ` ${code}: ${detail}`;
  const message = `${operation} failed with ${status}${said}`;

  if (status === 403) {
    const missingScope = /\b(?:read|write):[\w.-]*\w/.exec(message)?.[0];
    return new PermissionError(message, { ...facts, missingScope });
  }
  if (status === 429) {
    const { retryAfterMs } = rateLimit;
    const when = retryAfterMs === undefined ? '' : ` (retry after ${retryAfterMs} ms)`;
    return new RateLimitError(message + when, { ...facts, ...rateLimit });
  }
  if (status >= 500) return new ServerError(message, facts);
  return new (byStatus[status] ?? BaseApiError)(message, facts);
};
