import { invalidArgument } from '../errors/invalid-argument.ts';
/** The parts of a mock's base URL. */
export interface BaseUrl {
  /** The URL without a trailing slash. */
  readonly href: string;
  readonly origin: string;
  /** The path in front of every operation's own path; empty for most. */
  readonly prefix: string;
}

/**
 * Reads a base URL as users write it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not an http or https URL, or has a query or a fragment.
 */
export const toBaseUrl = (value: string | URL): BaseUrl => {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) {
    throw invalidArgument(
      `\`baseUrl\` must be an http or https URL without a query or fragment, got ${JSON.stringify(String(value))}`,
    );
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  return { href: url.origin + prefix, origin: url.origin, prefix };
};
