import { typeName } from '@confab/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Operation } from '../src/contract/index.ts';
import { DateTimeSchema, describeIssues, operations } from '../src/contract/index.ts';

const all: Operation[] = Object.values(operations);

describe('the table of operations', () => {
  test.each(Object.entries(operations))('%s is filed under its own id', (id, operation) => {
    expect(operation.id).toBe(id);
  });

  test.each(all.map((operation) => [operation.id, operation] as const))(
    '%s has a parameter for each name in its path, and a body only if it writes',
    (_, { method, path, params, body }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.def.shape ?? {})).toEqual(names);
      expect(body === undefined).toBe(method === 'GET');
    },
  );

  test('the version is part of every path', () => {
    for (const { path } of all) {
      expect(path).toMatch(/^\/api\/v2\/public\//);
    }
  });

  test('a creation returns 201, everything else 200', () => {
    const created = all.filter(({ status }) => status === 201).map(({ id }) => id);
    expect(created).toEqual(['conversations.sendMessage', 'leads.create']);
  });

  test('listed errors are those of the published table', () => {
    expect(Object.fromEntries(all.map(({ id, errors }) => [id, errors]))).toEqual({
      'conversations.list': [401, 403, 429],
      'conversations.get': [401, 404],
      'conversations.sendMessage': [401, 404],
      'leads.list': [],
      'leads.create': [400, 409],
      'leads.get': [404],
      'leads.update': [],
      'agents.list': [],
      'agents.invoke': [],
      'analytics.funnel': [],
    });
  });

  test('only reads and the update of a lead may be repeated after an unknown outcome', () => {
    const harmless = all.filter(({ idempotent }) => idempotent).map(({ id }) => id);
    expect(harmless).toEqual(
      [...all.filter(({ method }) => method === 'GET').map(({ id }) => id), 'leads.update'].sort(
        (a, b) => harmless.indexOf(a) - harmless.indexOf(b),
      ),
    );
  });

  test('scopes have the published form', () => {
    for (const { scope, method } of all) {
      expect(scope).toMatch(/^(read|write):[a-z]+$/);
      expect(scope.startsWith('read:')).toBe(method === 'GET');
    }
  });
});

test('bounds and defaults survive in JSON Schema, for the OpenAPI document', () => {
  const schema = z.toJSONSchema(operations['leads.list'].query);
  expect(schema.properties).toMatchObject({
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  });
  expect(z.toJSONSchema(operations['agents.invoke'].body).properties).toEqual({
    userMessage: { type: 'string', minLength: 1, maxLength: 4000 },
  });
});

test('an issue names its path with indexes, and shortens its value', () => {
  const schema = z.object({ rows: z.array(z.object({ id: z.guid() })) });
  const value = { rows: [{ id: 'x'.repeat(100) }] };
  const { error } = schema.safeParse(value);
  expect(describeIssues(error!, value, 'data')).toEqual([
    { path: 'data.rows[0].id', message: `must be a UUID, got "${'x'.repeat(39)}…` },
  ]);
  expect(describeIssues(error!, value, 'data', typeName)).toEqual([
    { path: 'data.rows[0].id', message: 'must be a UUID, got a string' },
  ]);
});

test('a date-time is one that exists, with an offset that exists', () => {
  const reference = z.iso.datetime({ offset: true });
  const two = (most: number) => fc.nat(most).map((number) => String(number).padStart(2, '0'));
  const near = fc.tuple(
    fc.oneof(fc.nat(9_999), fc.constantFrom(0, 4, 100, 1900, 2000, 2024, 2026)),
    // Mostly right, so that each part is the only wrong one often enough.
    fc.oneof({ weight: 3, arbitrary: two(12) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom('01', '28', '29', '30', '31', '32') }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(24) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(60) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(60) }, two(99)),
    fc.constantFrom('', '.0', '.123456789012', '.'),
    fc.oneof(
      fc.constantFrom('Z', '', '+00:00', '-23:59', '+24:00', '+99:99', '+0100', '+01'),
      fc
        .tuple(fc.constantFrom('+', '-'), two(30), two(70))
        .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
    ),
  );
  fc.assert(
    fc.property(near, ([year, month, day, hour, minute, second, fraction, offset]) => {
      const value = `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`;
      expect([value, DateTimeSchema.safeParse(value).success]).toEqual([
        value,
        reference.safeParse(value).success,
      ]);
    }),
    { numRuns: 20_000 },
  );
});

test('every moment that a Date can hold in four digits of a year is a date-time', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(DateTimeSchema.safeParse(date.toISOString()).success).toBe(true);
        expect(DateTimeSchema.safeParse(date.toISOString().toLowerCase()).success).toBe(true);
      },
    ),
  );
});
