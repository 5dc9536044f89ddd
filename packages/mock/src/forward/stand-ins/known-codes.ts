import type { ChosenCode, NamedCode } from '../../errors/refusal.ts';
import type { ProxyFailure } from '../exchange.ts';

type KnownCode = NamedCode | ChosenCode | ProxyFailure['code'];

/** A type error, if one is missing. */
const CODES: Readonly<Record<KnownCode, true>> = {
  API_KEY_REQUIRED: true,
  API_KEY_INVALID: true,
  SCOPE_REQUIRED: true,
  RATE_LIMIT_EXCEEDED: true,
  INVALID_PARAMETERS: true,
  NOT_FOUND: true,
  ALREADY_EXISTS: true,
  HTTPS_REQUIRED: true,
  ADMIN_TOKEN_REQUIRED: true,
  ADMIN_TOKEN_INVALID: true,
  ORIGIN_REFUSED: true,
  PAYLOAD_TOO_LARGE: true,
  VERIFICATION_FAILED: true,
  DELIVERIES_PENDING: true,
  WORLD_NOT_FOUND: true,
  SERVICE_UNAVAILABLE: true,
  INSUFFICIENT_STORAGE: true,
  INTERNAL_ERROR: true,
  UPSTREAM_UNREACHABLE: true,
  UPSTREAM_TIMEOUT: true,
  REDIRECT_REFUSED: true,
  RESPONSE_TOO_LARGE: true,
};

/** Whether a code of an error is one of the contract, the mock or the proxy. Any other text may name a person. */
export const isKnownCode = (text: string): boolean => Object.hasOwn(CODES, text);
