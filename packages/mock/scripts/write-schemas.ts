/**
 * Writes the OpenAPI document of the control endpoints, and the JSON Schema of data files. A test fails while a committed one
 * is out of date.
 */
import { writeFileSync } from 'node:fs';
import { buildControlDocument } from './schemas/control-document.ts';
import { buildDataSchema } from './schemas/data-schema.ts';

const WIDTH = 110;

/** Renders JSON, with each value that fits on a line on one line, so that people can read the files and their changes. */
const toText = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (indent.length + line.length <= WIDTH || typeof value !== 'object' || value === null) {
    return line;
  }
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${toText(part, inner)}`);
  const [start, end] = isList ? '[]' : '{}';
  return `${start}\n${parts.join(',\n')}\n${indent}${end}`;
};

const write = (file: string, schema: object): void =>
  writeFileSync(new URL(`../${file}`, import.meta.url), `${toText(schema)}\n`);

write('src/control/openapi.json', buildControlDocument());
write('data.schema.json', buildDataSchema());
