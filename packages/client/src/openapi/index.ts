export type { OpenApiDocument } from './build-document.ts';
export { buildDocument } from './build-document.ts';
