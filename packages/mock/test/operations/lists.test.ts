import type { Lead } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { open } from '../support/hosts.ts';

const PIPELINES = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const;
/** A value in half of the cases, so that some lists are long. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const status = fc.constantFrom('new', 'active', 'qualified', 'converted', 'lost');
const source = fc.constantFrom('api', 'web', '', 'Ünïcode & more');
const pipelineId = fc.constantFrom(...PIPELINES);
/** Few moments, so that many rows share one, with different offsets. */
const createdAt = fc
  .record({ day: fc.integer({ min: 1, max: 4 }), offset: fc.constantFrom('Z', '+02:00', '-05:00') })
  .map(({ day, offset }) => `2025-06-0${day}T12:00:00${offset}`);
const text = fc.option(fc.constantFrom('Ana', 'ana@example.com', 'BOB', 'a%b', '名前'), { nil: null });

/** Few phone numbers, so that several leads want the same one, in two formats. */
const NUMBERS = Array.from({ length: 40 }, (_, index) => `+12025550${100 + index}`);
const phone = fc.option(
  fc
    .record({ number: fc.constantFrom(...NUMBERS), spaced: fc.boolean() })
    .map(({ number, spaced }) => (spaced ? number.replace('+1202555', '+1 (202) 555-') : number)),
  { nil: null },
);

const lead = fc.record({ status, source, pipelineId, createdAt, phone, displayName: text, email: text });
const change = fc.record({
  nth: fc.nat(59),
  gone: fc.boolean(),
  to: fc.oneof(lead, fc.record({ phone }), fc.record({ createdAt })),
});
const leadQuery = fc.record({
  status: maybe(fc.oneof({ weight: 5, arbitrary: status }, fc.constant('unknown'))),
  source: maybe(source),
  pipelineId: maybe(pipelineId),
  search: maybe(fc.constantFrom('ana', 'B', '%', '名', '5550', '+120255501', '(202)', 'nothing')),
  limit: maybe(fc.integer({ min: 1, max: 100 })),
  offset: maybe(fc.nat(40)),
});

const digits = (written: string | null) => written?.replace(/\D/g, '');

const allOf = (mock: Mock) => mock.leads.find((q) => q.where(() => true));

/** Creates or updates a lead, and expects a refusal exactly if a different lead has its phone number. */
const arrange = (mock: Mock, { id, values }: { id?: string; values: Partial<Lead> }): void => {
  const { phone: wanted } = values;
  const holder = allOf(mock).find(
    (row) => row.id !== id && typeof wanted === 'string' && digits(row.phone) === digits(wanted),
  );
  const act = () => (id === undefined ? mock.leads.create(values) : mock.leads.update(id, values));
  if (holder) {
    expect(act).toThrow(`the lead ${holder.id} already has the phone ${holder.phone}`);
  } else {
    act();
  }
};

const queryOf = (values: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();

const newestFirst = (a: { createdAt: string; id: string }, b: { createdAt: string; id: string }) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1);

const contains = (texts: readonly (string | null)[], search = '') =>
  search === '' || texts.some((text) => text?.toLowerCase().includes(search.toLowerCase()));

const has = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;

test('leads.list returns the same rows and total as a simple filter and sort, also after changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      // By default, lists are too short for two leads with the same phone number.
      fc.array(lead, { maxLength: 60, size: 'max' }),
      fc.array(change, { maxLength: 20, size: 'max' }),
      fc.array(leadQuery, { minLength: 1, maxLength: 5 }),
      async (leads, changes, queries) => {
        const pipelines = PIPELINES.map((id) => ({ id }));
        const { mock, send } = open({ data: { pipelines } });
        for (const values of leads) {
          arrange(mock, { values });
        }
        const [snapshot, before] = [mock.snapshot(), mock.dump()];
        for (const { nth, gone, to } of changes) {
          const id = mock.leads.find()[nth]?.id;
          if (id !== undefined && gone) {
            mock.leads.delete(id);
          } else if (id !== undefined) {
            arrange(mock, { id, values: to });
          }
        }
        for (const number of NUMBERS) {
          const held = allOf(mock).filter((row) => row.phone === number);
          expect(mock.leads.find({ phone: number })).toEqual(held);
        }
        for (const { limit, offset, search, ...where } of queries) {
          const expected = allOf(mock)
            .filter((row) => has(where.status, row.status))
            .filter((row) => has(where.source, row.source) && has(where.pipelineId, row.pipelineId))
            .filter(({ displayName, email, phone }) => contains([displayName, email, phone], search))
            .toSorted(newestFirst);
          const query = queryOf({ ...where, search, limit, offset });
          const { body } = await send<Lead[]>('leads.list', { query });
          const from = offset ?? 0;
          const page = expected.slice(from, from + (limit ?? 25));
          expect(body.data.map(({ id }) => id)).toEqual(page.map(({ id }) => id));
          expect(body.meta).toEqual({ total: expected.length, limit: limit ?? 25, offset: from });
        }
        mock.restore(snapshot);
        expect(mock.dump()).toEqual(before);
      },
    ),
    { numRuns: 60 },
  );
});
