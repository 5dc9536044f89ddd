import { toFunnel } from '../../../operations/funnel.ts';
import type { CompleteBehavior } from '../../../world/complete-behavior.ts';
import { BEHAVIOR_WORDS } from '../../../world/complete-behavior.ts';
import { everyCombination, onlyFit } from '../evidence.ts';
import type { Question } from '../question.ts';
import type { Service } from '../service.ts';

type Funnel = Omit<CompleteBehavior['funnel'], 'days'>;

/** Every behavior that the mock has. */
const EVERY_FUNNEL = everyCombination<Funnel>({
  ...BEHAVIOR_WORDS.funnel,
  decimals: [undefined, 0, 1, 2, 3, 4, 5, 6],
});

/** Before the first lead of any account. */
const BEGINNING = '2000-01-01T00:00:00.000Z';

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

/** Counts the leads by status, and keeps the formulas that give the same numbers as the funnel over all leads. */
const formulas = async (service: Service): Promise<Funnel[]> => {
  const { data: seen } = await service.need('analytics.funnel', { query: { from: BEGINNING } });
  const leads = { all: 0, new: 0, active: 0, qualified: 0, converted: 0 };
  for (const status of Object.keys(leads) as (keyof typeof leads)[]) {
    const query = { limit: 1, ...(status !== 'all' && { status }) };
    leads[status] = (await service.need('leads.list', { query })).meta.total;
  }
  return EVERY_FUNNEL.filter((funnel) =>
    Object.entries(toFunnel({ days: 0, ...funnel }, leads)).every(([name, value]) =>
      isClose(value, Number(Reflect.get(seen, name))),
    ),
  );
};

const partOf = (name: keyof Funnel, text: string): Question => ({
  text,
  option: ['behavior', 'funnel', name],
  async ask(service) {
    const values = (await formulas(service)).map((funnel) =>
      // The same number, unless `newLeads` counts a status.
      funnel.newLeads === 'created' && funnel[name] === 'newLeads' ? 'all' : funnel[name],
    );
    const remedy =
      'Add leads until every status has a different count and the conversion rate has several decimals.';
    return onlyFit(values, 'the leads of the account', remedy);
  },
});

export const funnelCounts = [
  partOf('newLeads', 'What `newLeads` of the funnel counts'),
  partOf('counts', 'What the other counts of the funnel contain'),
  partOf('divideBy', 'What `conversionRate` divides `converted` by'),
  partOf('percent', 'Whether `conversionRate` is a percentage'),
  partOf('decimals', 'Decimals of `conversionRate`'),
];
