import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { operations } from '../src/contract/index.ts';
import { buildDocument } from '../src/openapi/index.ts';

const file = (path: string) => new URL(path, import.meta.url);
const REGENERATE = 'run `pnpm --filter @confab/client openapi`';

test('openapi.json matches the contract', async () => {
  const committed: unknown = JSON.parse(await readFile(file('../openapi.json'), 'utf8'));
  expect(committed, REGENERATE).toEqual(JSON.parse(JSON.stringify(buildDocument())));
});

test('an independent validator accepts it as OpenAPI 3.1, with every reference resolved', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...structuredClone(buildDocument()) });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(JSON.stringify(validator.resolveRefs())).not.toContain('"$ref"');
});

test('it has the version of the API, and each operation of the contract under its id', () => {
  const document = buildDocument() as {
    info: { version: string };
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  };
  expect(document.info.version).toBe('1.0.0');
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.values(operations).map(({ id, method, path }) => [id, `${method} ${path}`])),
  );
});

test('every error that the API lists is there, and those that any operation can meet', () => {
  const { paths } = buildDocument() as { paths: Record<string, Record<string, { responses: object }>> };
  for (const { path, method, errors, status } of Object.values(operations)) {
    const statuses = Object.keys(paths[path]![method.toLowerCase()]!.responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([status, 401, 403, 429, ...errors]));
  }
});
