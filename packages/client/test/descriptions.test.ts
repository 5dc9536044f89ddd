import { expect, test } from 'vitest';
import { readDescriptions } from '../read-descriptions.ts';
import { enumDescriptions, objectDescriptions } from '../src/openapi/descriptions.ts';

test('the descriptions of the OpenAPI document are the doc comments of the types', () => {
  expect({ objects: objectDescriptions, enums: enumDescriptions }).toEqual(readDescriptions());
});
