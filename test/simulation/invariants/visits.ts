import type { Mock } from '@confab/mock';
import type { Sim } from '../sim.ts';

/**
 * Starts to watch a walk through the leads. Call the returned function with the ids that it returned.
 *
 * Leads of this simulation never become new again, so those that match at the start and at the end have stayed.
 */
export const watchWalk = (sim: Sim, { leads }: Pick<Mock, 'leads'>, name: string, onlyNew: boolean) => {
  const matching = (): string[] => leads.find(onlyNew ? { status: 'new' } : {}).map(({ id }) => id);
  const before = matching();
  return (ids: readonly string[]): void => {
    const returned = new Set(ids);
    if (returned.size < ids.length) {
      sim.fail('visits', `${name} returned ${ids.length - returned.size} of ${ids.length} rows twice`);
    }
    const after = new Set(matching());
    const missed = before.filter((id) => after.has(id) && !returned.has(id));
    if (missed.length > 0) {
      sim.fail('visits', `${name} skipped ${missed.length} rows that stayed, such as ${missed[0]}`);
    }
  };
};
