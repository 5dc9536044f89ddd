import type { Funnel } from '@confab/client/contract';
import type { CompleteBehavior } from '../world/complete-behavior.ts';

/** Leads of a range: all of them, and those with each status that the funnel needs. */
export type LeadCounts = Readonly<Record<'all' | 'new' | 'active' | 'qualified' | 'converted', number>>;

/** The counts of a funnel and its rate, according to a behavior. */
export const toFunnel = (behavior: CompleteBehavior['funnel'], leads: LeadCounts): Omit<Funnel, 'range'> => {
  const reached = behavior.counts === 'reached';
  const { converted } = leads;
  const qualified = leads.qualified + (reached ? converted : 0);
  const counts = {
    newLeads: behavior.newLeads === 'status' ? leads.new : leads.all,
    activeLeads: leads.active + (reached ? qualified : 0),
    qualified,
    converted,
  };
  return { ...counts, conversionRate: toRate(behavior, { ...counts, all: leads.all }) };
};

/** The rate for some counts; 0 if nothing can be divided. */
const toRate = (
  { divideBy, percent, decimals }: Pick<CompleteBehavior['funnel'], 'divideBy' | 'percent' | 'decimals'>,
  counts: Readonly<Record<string, number>>,
): number => {
  const { [divideBy]: divisor = 0, converted = 0 } = counts;
  const rate = divisor === 0 ? 0 : (converted / divisor) * (percent ? 100 : 1);
  return decimals === undefined ? rate : Number(rate.toFixed(decimals));
};
