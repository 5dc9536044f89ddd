import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import document from '../openapi.json' with { type: 'json' };
import { buildDocument } from '../scripts/openapi/build-document.ts';
import { operations } from '../src/contract/index.ts';

test('openapi.json matches the contract', () => {
  const built: unknown = JSON.parse(JSON.stringify(buildDocument()));
  expect(document, 'run `pnpm --filter @confab/client run openapi`').toEqual(built);
});

test('an independent validator accepts it as OpenAPI 3.1, with every reference resolved', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...structuredClone(document) });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(JSON.stringify(validator.resolveRefs())).not.toContain('"$ref"');
});

test('it has the version of the API, and each operation of the contract under its id', () => {
  expect(document.info.version).toBe('1.0.0');
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string }>).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.values(operations).map(({ id, method, path }) => [id, `${method} ${path}`])),
  );
});

test('every error that the API lists is there, and those that any operation can meet', () => {
  const paths: Record<string, Record<string, { responses: object }>> = document.paths;
  for (const { path, method, errors, status } of Object.values(operations)) {
    const statuses = Object.keys(paths[path]![method.toLowerCase()]!.responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([status, 401, 403, 429, ...errors]));
  }
});
