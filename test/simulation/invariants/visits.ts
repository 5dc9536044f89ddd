import type { Mock } from '@confab/mock';
import type { Sim } from '../sim.ts';

/** Rows of a list that match a walk's filter now, in the order of the list. */
const matching = (mock: Mock, onlyNew: boolean): readonly string[] =>
  mock.leads.find(onlyNew ? { status: 'new' } : {}).map(({ id }) => id);

/**
 * Starts to watch a walk through the leads. Call the returned function with the ids that it returned.
 *
 * Leads of this simulation never become new again, so those that match at the start and at the end have stayed. New ones
 * come before all others, as the newest are first.
 *
 * @param offset Where the walk starts. What it owes is decided when its first page is read, which is later than now: the
 * row that it returned first, and all after it. A walk that starts too late also returns too late a row at first, so the
 * rows that no removal can have moved before the start count as well.
 */
export const watchWalk = (sim: Sim, mock: Mock, name: string, onlyNew: boolean, offset = 0) => {
  const before = matching(mock, onlyNew);
  return (ids: readonly string[]): void => {
    const returned = new Set(ids);
    if (returned.size < ids.length) {
      sim.fail('visits', `${name} returned ${ids.length - returned.size} of ${ids.length} rows twice`);
    }
    const after = new Set(matching(mock, onlyNew));
    const gone = before.filter((id) => !after.has(id)).length;
    // A first row that is new comes before all others.
    const first =
      ids[0] === undefined ? before.length : before.includes(ids[0]) ? before.indexOf(ids[0]) : before.length;
    const owed = before.slice(offset === 0 ? 0 : Math.min(first, offset + gone));
    const missed = owed.filter((id) => after.has(id) && !returned.has(id));
    if (missed.length > 0) {
      const rows =
        missed.length === 1 ? '1 row that stayed: ' : `${missed.length} rows that stayed, such as `;
      sim.fail('visits', `${name} skipped ${rows}${missed[0]}`);
    }
  };
};
