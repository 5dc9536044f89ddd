/** Writes the JSON Schema of data files into the build. */
import { writeFileSync } from 'node:fs';
import { dataSchema } from '../src/world/data/data-schema.ts';

writeFileSync('dist/data.schema.json', `${JSON.stringify(dataSchema(), null, 2)}\n`);
