/** Writes the OpenAPI and AsyncAPI documents; a test fails while the committed ones are out of date. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAsyncApiDocument, buildDocument } from './src/openapi/index.ts';

const [folder = '.'] = process.argv.slice(2);
for (const [file, document] of [
  ['openapi.json', buildDocument()],
  ['asyncapi.json', buildAsyncApiDocument()],
] as const) {
  writeFileSync(join(folder, file), `${JSON.stringify(document, null, 2)}\n`);
}
