import { toFunnel } from '../../../operations/funnel.ts';
import type { CompleteBehavior } from '../../../world/behavior.ts';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import { assertEvidence, everyCombination, onlyFit } from '../evidence.ts';
import type { Service } from '../service.ts';

type Funnel = Omit<CompleteBehavior['funnel'], 'days'>;

/** Every behavior of the mock. If `newLeads` counts all leads, dividing by it equals dividing by `all`. */
const EVERY_FUNNEL = everyCombination<Funnel>({
  ...BEHAVIOR_WORDS.funnel,
  decimals: [undefined, 0, 1, 2, 3, 4, 5, 6],
}).filter(({ newLeads, divideBy }) => newLeads !== 'created' || divideBy !== 'newLeads');

/** Before the first lead of any account. */
const BEGINNING = '2000-01-01T00:00:00.000Z';

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

/** Counts the leads by status, and returns the behaviors that give the same numbers as the funnel of all leads. */
const findBehaviors = async (service: Service): Promise<Funnel[]> => {
  const { data: seen } = await service.read('analytics.funnel', { query: { from: BEGINNING } });
  const leads = { all: 0, new: 0, active: 0, qualified: 0, converted: 0 };
  for (const status of Object.keys(leads) as (keyof typeof leads)[]) {
    const query = { limit: '1', ...(status !== 'all' && { status }) };
    leads[status] = (await service.read('leads.list', { query })).meta.total;
  }
  return EVERY_FUNNEL.filter((funnel) =>
    Object.entries(toFunnel({ days: 0, ...funnel }, leads)).every(([name, value]) =>
      isClose(value, Number(Reflect.get(seen, name))),
    ),
  );
};

/** Finds the single value of an option in all behaviors that explain the funnel. */
export const funnelBy = (option: keyof Funnel) => async (service: Service) => {
  const values = (await findBehaviors(service)).map((fit) => fit[option]);
  const remedy =
    'Add leads until every status has a different count and the conversion rate has several decimals.';
  return onlyFit(values, 'the leads of the account', remedy);
};

const DAY = 24 * 60 * 60 * 1000;

/** The months before these dates have 28 and 30 days, so a range of one month is not a fixed number of days. */
const ENDS = ['2025-03-15T12:00:00.000Z', '2025-05-15T12:00:00.000Z'];

/** Reads funnels with a `to` and without a `from`. */
export const daysOfFunnel = async (service: Service): Promise<number> => {
  const days: number[] = [];
  for (const to of ENDS) {
    const { range } = (await service.read('analytics.funnel', { query: { to } })).data;
    days.push((Date.parse(to) - Date.parse(range.from)) / DAY);
  }
  const [first = 0, second] = days;
  assertEvidence(
    first === second && Number.isInteger(first) && first > 0,
    `the range is not a fixed number of days before \`to\`: ${days.join(' and ')} in two requests`,
    'Set `from` and `to` in each call.',
  );
  return first;
};
