const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/**
 * True for the names and addresses of the machine itself, as a user or `URL.hostname` writes them.
 *
 * @example
 * ```ts
 * isLoopback(new URL('http://[::1]:3000').hostname); // true
 * isLoopback('evillocalhost'); // false
 * ```
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
