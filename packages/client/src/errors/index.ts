export type { ApiErrorInit, RateLimitInfo } from './api-error.ts';
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
  ImportStoppedError,
  InvalidRequestError,
  InvalidResponseError,
  RateLimitStoreError,
  TimeoutError,
} from './client-errors.ts';
export { ConfabError, isConfabError } from './confab-error.ts';
