/** Writes the descriptions of the OpenAPI document; a test fails while the committed ones are out of date. */
import { writeFileSync } from 'node:fs';
import { readDescriptions } from './read-descriptions.ts';

const { objects, enums } = readDescriptions();

writeFileSync(
  'src/openapi/descriptions.ts',
  `// Generated from the doc comments of the contract's types by \`pnpm --filter @confab/client run openapi\`.
import type { EnumName, ObjectName, SchemaOf } from './named-schemas.ts';

interface ObjectDescription<Name extends ObjectName> {
  readonly description: string;
  readonly fields: Readonly<Record<keyof SchemaOf<Name>['shape'] & string, string>>;
}

/** The meaning of each schema and of each of its fields. */
export const objectDescriptions: { readonly [Name in ObjectName]: ObjectDescription<Name> } = ${JSON.stringify(objects)};

/** The meaning of each enum. */
export const enumDescriptions: { readonly [Name in EnumName]: string } = ${JSON.stringify(enums)};
`,
);
