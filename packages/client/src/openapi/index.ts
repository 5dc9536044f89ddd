export type { DocumentOptions, OpenApiDocument } from './build-document.ts';
export { buildDocument } from './build-document.ts';
export type { ExampleRows } from './examples.ts';
