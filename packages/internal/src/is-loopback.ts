const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/**
 * Whether a host is the machine itself. It may be written by a user or come from `URL.hostname`.
 *
 * @example
 * ```ts
 * isLoopback(new URL('http://[::1]:3000').hostname); // true
 * isLoopback('evillocalhost'); // false
 * ```
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
