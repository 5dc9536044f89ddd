import type { LeadCounts } from '../../../operations/funnel.ts';
import { toFunnel } from '../../../operations/funnel.ts';
import type { CompleteBehavior } from '../../../world/behavior.ts';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Reply, Service } from '../service.ts';

type Funnel = CompleteBehavior['funnel'];

const { newLeads, counts, divideBy, percent } = BEHAVIOR_WORDS.funnel;

const DECIMALS = [undefined, 0, 1, 2, 3, 4, 5, 6];

/** Every behavior that the mock has. */
const EVERY_FUNNEL: readonly Funnel[] = newLeads.flatMap((each) =>
  counts.flatMap((count) =>
    divideBy.flatMap((divisor) =>
      percent.flatMap((isPercent) =>
        DECIMALS.map((decimals) => ({
          days: 0,
          newLeads: each,
          counts: count,
          divideBy: divisor,
          percent: isPercent,
          decimals,
        })),
      ),
    ),
  ),
);

/** Before the first lead of any account. */
const BEGINNING = '2000-01-01T00:00:00.000Z';

/** Reads how many leads have each status. */
const countLeads = async (service: Service): Promise<LeadCounts | Reply> => {
  const found = { all: 0, new: 0, active: 0, qualified: 0, converted: 0 };
  for (const status of Object.keys(found) as (keyof typeof found)[]) {
    const reply = await service.read('leads.list', {
      query: { limit: 1, ...(status !== 'all' && { status }) },
    });
    if (reply.body === undefined) {
      return reply;
    }
    found[status] = reply.body.meta.total;
  }
  return found;
};

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

const PARTS: readonly (readonly [keyof Funnel, string])[] = [
  ['newLeads', 'What `newLeads` of the funnel counts'],
  ['counts', 'What the other counts of the funnel contain'],
  ['divideBy', 'What `conversionRate` divides `converted` by'],
  ['percent', 'Whether `conversionRate` is a percentage'],
  ['decimals', 'Decimals of `conversionRate`'],
];

const conclude = (fits: readonly Funnel[], [name, question]: (typeof PARTS)[number]): Finding => {
  const values = [...new Set(fits.map((fit) => fit[name]))];
  const [value] = values;
  if (fits.length === 0) {
    return unknown(
      question,
      'no formula of the mock gives the numbers of the service',
      "Ask the service's team what the funnel counts.",
    );
  }
  // Both are the same number, unless `newLeads` counts a status.
  const isSame =
    name === 'divideBy' &&
    fits.every((fit) => fit.newLeads === 'created' && /^(?:all|newLeads)$/.test(fit.divideBy));
  if (values.length > 1 && !isSame) {
    return unknown(
      question,
      `the leads of the account fit ${values.map((each) => each ?? 'no rounding').join(' as well as ')}`,
      'Add leads until each status has another number of them, and the rate many decimals.',
    );
  }
  const answer = isSame ? 'all' : value;
  return answer === undefined
    ? { ...learned(question, ['behavior', 'funnel', name], 'no rounding', 'no rounding'), options: {} }
    : learned(question, ['behavior', 'funnel', name], answer);
};

/** Counts the leads by status, and keeps the formulas that give the same numbers as the funnel over all leads. */
export const funnelCounts: Question = {
  topic: 'counts of the funnel',
  async ask(service) {
    const reply = await service.read('analytics.funnel', { query: { from: BEGINNING } });
    const leads = await countLeads(service);
    const failed = reply.body === undefined ? reply : 'operation' in leads ? leads : undefined;
    if (reply.body === undefined || 'operation' in leads) {
      return PARTS.map(([, question]) => unanswered(question, failed ?? reply));
    }
    const { range: _, ...seen } = reply.body.data;
    const fits = EVERY_FUNNEL.filter((behavior) =>
      Object.entries(toFunnel(behavior, leads)).every(([name, value]) =>
        isClose(value, Number(Reflect.get(seen, name))),
      ),
    );
    return PARTS.map((part) => conclude(fits, part));
  },
};
