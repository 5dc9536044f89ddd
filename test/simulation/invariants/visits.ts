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
 * @param offset Where the walk starts. It owes the rows that stood there or behind it throughout: at least those that
 * came after `offset` rows which stayed as well.
 */
export const watchWalk = (sim: Sim, mock: Mock, name: string, onlyNew: boolean, offset = 0) => {
  const before = matching(mock, onlyNew);
  return (ids: readonly string[]): void => {
    const returned = new Set(ids);
    if (returned.size < ids.length) {
      sim.fail('visits', `${name} returned ${ids.length - returned.size} of ${ids.length} rows twice`);
    }
    const after = new Set(matching(mock, onlyNew));
    const owed = before.filter((id) => after.has(id)).slice(offset);
    const missed = owed.filter((id) => !returned.has(id));
    if (missed.length > 0) {
      const rows =
        missed.length === 1 ? '1 row that stayed: ' : `${missed.length} rows that stayed, such as `;
      sim.fail('visits', `${name} skipped ${rows}${missed[0]}`);
    }
  };
};
