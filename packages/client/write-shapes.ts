/** Writes the shapes that the client checks by; a test fails while the committed ones are out of date. */
import { writeFileSync } from 'node:fs';
import { readShapes, shapeOf } from './read-shapes.ts';
import { objectSchemas } from './src/openapi/named-schemas.ts';

/** Shapes that occur more than once are written once. By their JSON, in the order in which they must be declared. */
const counts = new Map<string, { readonly field: string; count: number }>();

const isShape = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'type' in value;

const count = (value: unknown, field: string): void => {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    count(inner, name);
  }
  if (isShape(value)) {
    const json = JSON.stringify(value);
    const entry = counts.get(json) ?? { field, count: 0 };
    entry.count += 1;
    counts.set(json, entry);
  }
};

const shapes = readShapes();
count(shapes, 'shapes');

/** The names of the contract's own schemas, by the JSON of their shape. */
const schemaNames = new Map(
  [...objectSchemas].map(([name, schema]) => [
    JSON.stringify(shapeOf(schema)),
    name.charAt(0).toLowerCase() + name.slice(1),
  ]),
);

const nameOf = (json: string, field: string): string => {
  const { type, format, nullable, ...rest } = JSON.parse(json);
  const kind = format === 'date-time' ? 'dateTime' : (format ?? type);
  const leaf = nullable ? `${kind}OrNull` : kind;
  return schemaNames.get(json) ?? (Object.keys(rest).length === 0 ? leaf : field);
};

const names = new Map<string, string>();
for (const [json, { field, count }] of counts) {
  if (count > 1) {
    names.set(json, nameOf(json, field));
  }
}

/** Writes a value as code that refers to the shapes with names. */
const code = (value: unknown, isDeclaration = false): string => {
  const name = isShape(value) && !isDeclaration ? names.get(JSON.stringify(value)) : undefined;
  if (name !== undefined) {
    return name;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${code(inner)}`);
  return `{ ${fields.join(', ')} }`;
};

const declarations = [...names].map(
  ([json, name]) =>
    `${name === 'paginationMeta' ? 'export ' : ''}const ${name}: Shape = ${code(JSON.parse(json), true)};`,
);

writeFileSync(
  'src/contract/shapes.ts',
  `// Generated from the contract's schemas by \`pnpm --filter @confab/client run openapi\`.
import type { OperationShapes, Shape } from './shape.ts';
import type { OperationId } from './types/operation-types.ts';

${declarations.join('\n')}

/** The shapes of what each operation sends and receives. */
export const shapes: { readonly [Id in OperationId]: OperationShapes } = ${code(shapes)};
`,
);
