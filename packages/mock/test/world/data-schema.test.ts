import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import dataSchema from '../../data.schema.json' with { type: 'json' };
import { startingData } from '../../src/cli/init.ts';
import type { MockData } from '../../src/index.ts';
import { CollectionError, createMock } from '../../src/index.ts';

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(dataSchema);

const isLoaded = (data: unknown): boolean => {
  try {
    createMock({ data: data as MockData });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(CollectionError);
    return false;
  }
};

const id = fc.uuid().map((uuid) => (uuid.startsWith('a') ? uuid.toUpperCase() : uuid));
const dateTime = fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+02:00');
const text = fc.constantFrom('', 'Ana', 'open', 'Ünïcode');
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
/** Values that most fields refuse. */
const odd = fc.constantFrom(null, 7, true, '31 January 2026', 'not-a-uuid', ['Ana'], { name: 'Ana' });

type Fields = Record<string, fc.Arbitrary<unknown>>;

/** A usual value, or in one case of ten a rare one. */
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: rare, weight: 1 });

/** Some of these fields, so that the defaults of the others are tested, and sometimes a field that does not exist. */
const someOf = (fields: Fields, misspelled: string): fc.Arbitrary<object> =>
  mostly<object>(
    fc.record(fields, { requiredKeys: [] }),
    fc.record({ ...fields, [misspelled]: fc.constant([]) }, { requiredKeys: [misspelled] }),
  );

const rowsOf = (fields: Fields) => {
  const values = Object.entries(fields).map(([name, valid]) => [name, mostly(valid, odd)]);
  return fc.array(someOf(Object.fromEntries(values), 'surname'), { maxLength: 2 });
};

const created = { id, createdAt: dateTime };
const data = someOf(
  {
    pipelines: rowsOf({ ...created, name: text }),
    agents: rowsOf({ id, updatedAt: dateTime, name: text, description: nullable(text) }),
    // Without phone numbers, whose check no schema can express.
    leads: rowsOf({ ...created, pipelineId: id, displayName: nullable(text), status: text }),
    conversations: rowsOf({ ...created, leadId: nullable(id), lastMessageAt: nullable(dateTime) }),
    messages: rowsOf({ ...created, conversationId: id, content: nullable(text), senderType: text }),
  },
  'lead',
);

test('the JSON Schema of data files accepts exactly the data that createMock() accepts', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(data, (values) => {
      const loaded = isLoaded(values);
      seen[loaded ? 'accepted' : 'refused'] += 1;
      expect([validate(values), validate.errors]).toEqual([loaded, loaded ? null : expect.anything()]);
    }),
    { numRuns: 200 },
  );
  // Otherwise, one side of the property was hardly tested.
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
});

test('the JSON Schema of data files accepts dumps, the file of init, $schema and faults', () => {
  for (const valid of [createMock().dump(), createMock({ data: 'demo' }).dump(), startingData]) {
    expect([validate(valid), validate.errors]).toEqual([true, null]);
  }
  const recorded: MockData = {
    $schema: '../rows.schema.json',
    leads: [{ displayName: 'Ana' }],
    faults: [{ operation: 'leads.list', fault: { status: 503 } }],
  };
  expect(validate(recorded)).toBe(true);
});
