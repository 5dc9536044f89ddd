/**
 * Sends requests through ky, to add its hooks.
 *
 * @packageDocumentation
 */

export { kyFetch } from './ky-fetch.ts';
