/**
 * Writes the OpenAPI document of the control endpoints, and the JSON Schema of data files. A test fails while a committed one
 * is out of date.
 */
import { writeFileSync } from 'node:fs';
import { buildControlDocument } from './schemas/control-document.ts';
import { buildDataSchema } from './schemas/data-schema.ts';

const write = (file: string, schema: object): void =>
  writeFileSync(new URL(`../${file}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);

write('src/control/openapi.json', buildControlDocument());
write('data.schema.json', buildDataSchema());
