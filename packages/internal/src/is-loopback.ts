const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/**
 * Whether a host name or address is this machine. It accepts what users write and what `URL.hostname` returns.
 *
 * @example
 * ```ts
 * isLoopback(new URL('http://[::1]:3000').hostname); // true
 * isLoopback('evillocalhost'); // false
 * ```
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
