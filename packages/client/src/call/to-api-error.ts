import { oneLine } from '@confab/internal';
import type { RateLimitInfo } from '../errors/index.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors/index.ts';
import type { ApiResponse } from './call-result.ts';
import { bodyOf, describeBody } from './describe-body.ts';
import { inWords } from './in-words.ts';
import type { FailedCall } from './to-error.ts';

/** Characters of the service's text that an error keeps. */
const LONGEST_DETAIL = 1_000;
const LONGEST_CODE = 100;

const ERROR_CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
};

/** The codes of a 401 that is about the key, and not about an account, for example. */
const KEY_CODES = /^API_KEY_(?:INVALID|REQUIRED)$/;

/** Returns undefined for a body that is not an error envelope, such as a proxy's page. */
const readErrorEnvelope = (body: unknown): { readonly error: string; readonly code: string } | undefined => {
  const { success, error, code } = Object(body);
  return success === false && typeof error === 'string' && typeof code === 'string'
    ? { error, code }
    : undefined;
};

/**
 * Creates the error for a status of 400 or above. The status decides: the codes of 400, 404 and 409 are not published.
 *
 * @param doubt What to add to the message if the service may have acted.
 */
export const toApiError = (
  response: ApiResponse,
  rateLimit: RateLimitInfo,
  { baseUrl, doubt }: Pick<FailedCall, 'baseUrl' | 'doubt'>,
): ApiError => {
  const { operation, label, attempts, status, headers, body, redact, text } = response;
  const data = readErrorEnvelope(body);
  const code = data === undefined ? `HTTP_${status}` : oneLine(redact(data.code, LONGEST_CODE));
  const detail = data && oneLine(redact(data.error, LONGEST_DETAIL));
  const whatCame = text === undefined ? '; the body was cut off' : `: ${describeBody(response)}`;
  const explanation = detail === undefined ? whatCame : ` ${code}: ${detail}`;
  const message = `${label} failed with ${status}${explanation}`;
  const init = { status, code, detail, operation, attempts, headers, body: bodyOf(response) };

  if (status === 401 && KEY_CODES.test(code)) {
    const hint = `Check CONFAB_API_KEY or \`apiKey\`: is it a key of ${redact(baseUrl)}?`;
    return new AuthenticationError(`${message.replace(/\.?$/, '.')} ${hint}`, init);
  }
  if (status === 403) {
    const missingScope = /\b(?:read|write):[\w.-]*\w/.exec(message)?.[0];
    return new PermissionError(message, { ...init, missingScope });
  }
  if (status === 429) {
    const { retryAfterMs } = rateLimit;
    const wait = retryAfterMs === undefined ? '' : ` (retry after ${inWords(retryAfterMs)})`;
    return new RateLimitError(message + wait, { ...init, ...rateLimit });
  }
  const ErrorClass = status >= 500 ? ServerError : (ERROR_CLASSES[status] ?? ApiError);
  // 408: the service gave up on a request of which it may have read enough.
  return new ErrorClass(status >= 500 || status === 408 ? message + (doubt && `.${doubt}`) : message, init);
};
