import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShapes } from '../read-shapes.ts';
import { checkShape } from '../src/contract/check-shape.ts';
import type { Operation } from '../src/contract/index.ts';
import { describeIssues, operations } from '../src/contract/index.ts';
import { preview } from '../src/contract/issues.ts';
import type { Shape } from '../src/contract/shape.ts';
import { shapes } from '../src/contract/shapes.ts';

const PARTS = ['params', 'query', 'body', 'response'] as const;

/** The schema and the shape of everything that operations send and receive. */
const pairs = Object.values(operations).flatMap((operation: Operation) =>
  PARTS.flatMap((part) => {
    const schema = operation[part];
    const shape = shapes[operation.id as keyof typeof shapes][part];
    return schema && shape ? [{ name: `${operation.id} ${part}`, schema, shape }] : [];
  }),
);

const date = fc.oneof(
  fc.date({ noInvalidDate: true }).map((value) => value.toISOString()),
  fc.constantFrom('2026-02-30T00:00:00Z', '2026-01-31T12:00:00+99:00', '2024-02-29T23:59:59.5-03:00'),
);

/** Values of which many fit the shape, and many almost do. */
const valuesOf = (shape: Shape): fc.Arbitrary<unknown> => {
  const bounds = [shape.minimum, shape.maximum].filter((bound) => bound !== undefined);
  const numbers = bounds.flatMap((bound) => [bound, bound - 1, bound + 1, bound + 0.5]);
  const fitting: readonly fc.Arbitrary<unknown>[] = [
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom(
      undefined,
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      ...(shape.enum ?? []),
      ...numbers,
    ),
    ...(shape.type === 'string' ? [fc.string(), fc.uuid(), date] : []),
    ...(shape.maxLength
      ? [fc.string({ minLength: shape.maxLength - 2, maxLength: shape.maxLength + 2 })]
      : []),
    ...(shape.maxLength
      ? [fc.constantFrom('😀'.repeat(shape.maxLength), '😀'.repeat(shape.maxLength + 1))]
      : []),
    ...(shape.type === 'boolean' ? [fc.boolean()] : []),
    ...(shape.type === 'number' || shape.type === 'integer' ? [fc.double(), fc.integer()] : []),
    ...(shape.items ? [fc.array(valuesOf(shape.items), { maxLength: 3 })] : []),
    ...(shape.properties
      ? [
          fc
            .tuple(
              fc.record(
                Object.fromEntries(
                  Object.entries(shape.properties).map(([name, inner]) => [name, valuesOf(inner)]),
                ),
                { requiredKeys: [] },
              ),
              fc.dictionary(fc.string(), fc.anything({ maxDepth: 1 }), { maxKeys: 2 }),
            )
            .map(([fields, others]) => ({ ...fields, ...others })),
        ]
      : []),
  ];
  return fc.oneof(...fitting.map((arbitrary, index) => ({ arbitrary, weight: index === 0 ? 1 : 6 })));
};

test('the shapes are those of the contract’s schemas', () => {
  expect(shapes).toEqual(readShapes());
});

test.each(pairs)('$name: the shape finds what the schema finds, in the same words', ({ schema, shape }) => {
  fc.assert(
    fc.property(valuesOf(shape), (value) => {
      const { error } = schema.safeParse(value);
      const known = Object.keys(schema.shape);
      const expected = error ? describeIssues(error, value, 'it', preview, known) : [];
      expect(checkShape(value, shape, { root: 'it', show: preview })).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test('a check ends at the given number of issues', () => {
  const rows = Array.from({ length: 1_000_000 }, () => ({}));
  const value = { success: true, data: rows, meta: {} };
  const issues = checkShape(value, shapes['leads.list'].response, { show: preview, most: 100 });
  expect(issues).toHaveLength(100);
  expect(issues[99]).toMatchObject({ path: expect.stringMatching(/^data\[12\]\./) });
});
