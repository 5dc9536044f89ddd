import { IdSchema } from '@confab/client/contract';
import type * as z from 'zod/mini';
import { normalizePhone } from '../../world/store/phone.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import type { NewestBy } from '../../world/store/table.ts';
import { compareValues, fieldOf } from '../../world/store/table.ts';
import type { Cleaner } from '../stand-ins/clean.ts';
import type { RecordedRows } from './recorded-rows.ts';
import { SCHEMAS, STORED } from './recorded-rows.ts';

/** Clears the phones that a mock does not load: those that are no phones, and those of an earlier lead. */
const withLoadablePhones = <Row extends { readonly phone: string | null }>(leads: readonly Row[]): Row[] => {
  const taken = new Set<string>();
  return leads.map((lead) => {
    const phone = lead.phone === null ? undefined : normalizePhone(lead.phone);
    if (phone === undefined || taken.has(phone)) {
      return { ...lead, phone: null };
    }
    taken.add(phone);
    return { ...lead, phone };
  });
};

/** Sorts rows as `mock.dump()` returns them: oldest first. Those of one moment keep their order. */
const oldestFirst = <Row extends object>(rows: readonly Row[], newestBy: NewestBy = 'createdAt'): Row[] =>
  rows.toSorted((a, b) => compareValues(fieldOf(a, newestBy), fieldOf(b, newestBy)));

/** Recorded rows as a mock loads them. Lists had the newest first, and the messages of a conversation the oldest. */
export const loadableRows = (rows: RecordedRows, cleaner: Cleaner): CompleteMockData => {
  const cleaned = <Name extends keyof typeof STORED>(name: Name): z.output<(typeof STORED)[Name]>[] =>
    [...rows.collected[name].values()].flatMap((row) => {
      const result = STORED[name].safeParse(cleaner.value(row, SCHEMAS[name]));
      return result.success ? [result.data as z.output<(typeof STORED)[Name]>] : [];
    });
  return {
    pipelines: rows.pipelines
      .filter((id) => cleaner.value(id, IdSchema) === id)
      .map((id, at) => ({ id, name: `Pipeline ${at + 1}` })),
    agents: oldestFirst(cleaned('agents').toReversed(), 'updatedAt'),
    leads: oldestFirst(withLoadablePhones(cleaned('leads')).toReversed()),
    conversations: oldestFirst(cleaned('conversations').toReversed()),
    messages: oldestFirst(cleaned('messages')),
  };
};
