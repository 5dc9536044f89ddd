/**
 * Builds the OpenAPI and AsyncAPI documents from the contract.
 *
 * @packageDocumentation
 */

export type { AsyncApiDocument } from './build-asyncapi-document.ts';
export { buildAsyncApiDocument } from './build-asyncapi-document.ts';
export type { DocumentOptions, OpenApiDocument } from './build-document.ts';
export { buildDocument } from './build-document.ts';
export type { ExampleRows } from './examples.ts';
