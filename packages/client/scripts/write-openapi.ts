/** Writes `openapi.json`. A test fails while the committed one is out of date. */
import { writeFileSync } from 'node:fs';
import { buildDocument } from './openapi/build-document.ts';

const path = new URL('../openapi.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(buildDocument(), null, 2)}\n`);
