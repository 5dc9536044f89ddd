import { typeNamed } from './read-types.ts';
import type { Json } from './to-schema.ts';
import { createSchemas } from './to-schema.ts';

/** Builds the JSON Schema of a file for `--data`, for editors. */
export const buildDataSchema = (): Json => {
  const { schemas, toSchema } = createSchemas('#/$defs');
  toSchema(typeNamed('MockData'));
  const faults = toSchema(typeNamed('FaultPlan'));
  const { MockData: data = {}, ...rows } = schemas;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Data of @confab/mock',
    description: data.description,
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string', description: 'The schema of this file, for editors.' },
      ...(data.properties as Json),
      faults: {
        description: 'Faults that are planned at the start, in this order.',
        type: 'array',
        items: faults,
      },
    },
    $defs: rows,
  };
};
