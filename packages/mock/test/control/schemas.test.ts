import { expect, test } from 'vitest';
import dataSchema from '../../data.schema.json' with { type: 'json' };
import { buildControlDocument } from '../../scripts/schemas/control-document.ts';
import { buildDataSchema } from '../../scripts/schemas/data-schema.ts';
import controlDocument from '../../src/control/openapi.json' with { type: 'json' };

test('the checked-in schemas are up to date; write them with `pnpm --filter @confab/mock run schemas`', () => {
  const written = (schema: object): unknown => JSON.parse(JSON.stringify(schema));
  expect(controlDocument).toEqual(written(buildControlDocument()));
  expect(dataSchema).toEqual(written(buildDataSchema()));
});
