/**
 * Serves a mock over HTTP or HTTPS.
 *
 * @packageDocumentation
 */

export type { TlsOptions } from '../http/http-server.ts';
export { serve } from './serve.ts';
export type { MockServer, ServeOptions } from './serve-options.ts';
