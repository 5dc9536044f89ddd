import { ErrorEnvelopeSchema } from '../../contract/index.ts';
import type { OperationId } from '../../contract/types/index.ts';
import type { ApiError } from '../../errors/index.ts';
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
} from '../../errors/index.ts';
import type { RateLimitReading } from '../../rate-limit/rate-limit-headers.ts';
import { oneLine } from '../../secrecy/one-line.ts';
import type { Redact } from '../../secrecy/redact.ts';

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

/** An answer that was looked into. */
export interface ReadAnswer extends Answer {
  /** The text as JSON; undefined when it is none. */
  readonly body: unknown;
  /** Hides the key that the request was sent with. */
  readonly redact: Redact;
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Enough of a body to see what answered: an HTML page of a proxy, say. */
const excerpt = ({ text, redact }: ReadAnswer): string =>
  text.trim() === ''
    ? 'an empty body'
    : `a body that starts with ${JSON.stringify(oneLine(redact(text.trimStart(), 60)))}`;

/** The `success` that every answer of the API has; a proxy's has none. */
export const successOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, 'success') : undefined;

/** @throws {@link InvalidResponseError} unless the body is a success envelope. */
export const decodeSuccess = (answer: ReadAnswer): SuccessEnvelope => {
  const { operation, status, body } = answer;
  if (successOf(body) === true && 'data' in (body as object)) {
    return body as SuccessEnvelope;
  }
  throw new InvalidResponseError(
    body === undefined
      ? `${operation} answered ${status} with ${excerpt(answer)}, which is not JSON. Is \`baseUrl\` the service itself, and no page or proxy in front of it?`
      : `${operation} answered ${status} without \`success: true\` and \`data\`: ${excerpt(answer)}.`,
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
export const decodeError = (answer: ReadAnswer & { readonly rateLimit: RateLimitReading }): ApiError => {
  const { operation, attempts, status, headers, body, rateLimit, redact } = answer;
  const { data } = ErrorEnvelopeSchema.safeParse(body);
  const code = data === undefined ? `HTTP_${status}` : oneLine(redact(data.code, LONGEST_CODE));
  const detail = data && oneLine(redact(data.error, LONGEST_TEXT));
  const facts = { status, code, detail, operation, attempts, headers };
  const said = detail === undefined ? `: ${excerpt(answer)}` : ` ${code}: ${detail}`;
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
  if (status >= 500) {
    return new ServerError(message, facts);
  }
  return new (byStatus[status] ?? BaseApiError)(message, facts);
};
