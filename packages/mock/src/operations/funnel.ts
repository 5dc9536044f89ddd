import type { Funnel } from '@confab/client/contract';
import type { CompleteBehavior } from '../world/behavior.ts';

/** The number of leads created in a range: of all, and with each status. */
type LeadCounts = Readonly<Record<'all' | 'new' | 'active' | 'qualified' | 'converted', number>>;

/** Computes the counts and the rate of a funnel. */
export const toFunnel = (behavior: CompleteBehavior['funnel'], leads: LeadCounts): Omit<Funnel, 'range'> => {
  const reached = behavior.counts === 'reached';
  const { all, converted } = leads;
  const qualified = leads.qualified + (reached ? converted : 0);
  const counts = {
    newLeads: behavior.newLeads === 'status' ? leads.new : all,
    activeLeads: leads.active + (reached ? qualified : 0),
    qualified,
    converted,
  };
  const { [behavior.divideBy]: divisor = 0 } = { ...counts, all } as Readonly<Record<string, number>>;
  const rate = divisor === 0 ? 0 : (converted / divisor) * (behavior.percent ? 100 : 1);
  const { decimals } = behavior;
  return {
    ...counts,
    conversionRate: decimals === undefined ? rate : Number(rate.toFixed(decimals)),
  };
};
