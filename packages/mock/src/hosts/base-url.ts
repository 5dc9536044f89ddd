/** Where a mock seems to be. */
export interface BaseUrl {
  /** Without a slash at its end. */
  readonly href: string;
  readonly origin: string;
  /** Path before every operation's own; empty for most. */
  readonly prefix: string;
}

/**
 * Reads a base URL as users write it.
 *
 * @throws {TypeError} For anything but http or https, or one with a query or a fragment.
 */
export const toBaseUrl = (value: string | URL): BaseUrl => {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) {
    throw new TypeError(
      `The baseUrl of a mock is an http or https URL, not ${JSON.stringify(String(value))}`,
    );
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  return { href: url.origin + prefix, origin: url.origin, prefix };
};
