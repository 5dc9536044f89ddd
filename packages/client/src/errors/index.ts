export type { ApiErrorFacts } from './api-error.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './api-error.ts';
export {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  TimeoutError,
} from './call-errors.ts';
export { ConfabError } from './confab-error.ts';
