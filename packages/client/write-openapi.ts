/** Writes the OpenAPI document; a test fails while the committed one is stale. */
import { writeFileSync } from 'node:fs';
import { buildDocument } from './src/openapi/index.ts';

const [target = 'openapi.json'] = process.argv.slice(2);
writeFileSync(target, `${JSON.stringify(buildDocument(), null, 2)}\n`);
