/**
 * Serves a mock over HTTP or HTTPS.
 *
 * @packageDocumentation
 */

export { serve } from './serve.ts';
export type { MockServer, ServeOptions, TlsOptions } from './serve-options.ts';
