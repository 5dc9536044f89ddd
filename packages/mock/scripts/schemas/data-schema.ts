import { typeNamed } from './read-types.ts';
import type { Json } from './to-schema.ts';
import { createSchemas } from './to-schema.ts';

/** Builds the JSON Schema of a file for `--data`, for editors. */
export const buildDataSchema = (): Json => {
  const { schemas, toSchema } = createSchemas('#/$defs');
  toSchema(typeNamed('MockData'));
  const { MockData: data = {}, ...rows } = schemas;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Data of @confab/mock',
    description: data.description,
    type: 'object',
    additionalProperties: false,
    properties: data.properties,
    $defs: rows,
  };
};
