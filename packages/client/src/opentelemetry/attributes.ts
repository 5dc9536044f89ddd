import type { Attributes } from '@opentelemetry/api';
import { operations } from '../contract/operations.ts';
import type { OperationName } from '../contract/types.ts';
import { ApiError, ConfabError } from '../errors/index.ts';
import type { AttemptEvent } from '../options/hook-events.ts';

/** The path of an operation, with a name in place of each id; undefined for `confab.request`. */
const templateOf = (operation: OperationName, pathname: string): string | undefined => {
  if (operation === 'request') {
    return undefined;
  }
  const { path } = operations[operation];
  const [beginning = ''] = path.split('{');
  // The base URL may have a path, too.
  return pathname.slice(0, pathname.lastIndexOf(beginning)) + path;
};

/** What spans and metrics say about an attempt, by the names of OpenTelemetry's conventions for HTTP clients. */
export interface AttemptAttributes {
  readonly spanName: string;
  /** Attributes of the metrics, which have few values each. */
  readonly metric: Attributes;
  /** Attributes of the span. */
  readonly span: Attributes;
}

/**
 * Describes an attempt without anything that might be secret or personal: no key, no body, no query, and for
 * `confab.request` no path.
 */
export const describeAttempt = ({ operation, method, url, attempt }: AttemptEvent): AttemptAttributes => {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  const template = templateOf(operation, pathname);
  const metric: Attributes = {
    'http.request.method': method,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(template === undefined ? {} : { 'url.template': template }),
  };
  return {
    spanName: template === undefined ? method : `${method} ${template}`,
    metric,
    span: {
      ...metric,
      ...(template === undefined ? {} : { 'url.full': origin + pathname }),
      ...(attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }),
    },
  };
};

/** Names the kind of an error. Messages stay out, because they may quote a value of the request or the response. */
export const errorType = (error: unknown): string => {
  if (error instanceof ApiError) {
    return String(error.status);
  }
  return error instanceof ConfabError ? error.name : '_OTHER';
};
