import type { OperationId } from '@confab/client/contract';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Service } from '../service.ts';
import { directionOf, MIN_STEPS } from '../steps.ts';

type List = keyof typeof BEHAVIOR_WORDS.order & OperationId;

const ask = async (service: Service, list: List): Promise<Finding> => {
  const question = `Order of ${list}`;
  const reply = await service.read(list, list === 'agents.list' ? {} : { query: { limit: 100 } });
  if (reply.body === undefined) {
    return unanswered(question, reply);
  }
  const rows: readonly object[] = reply.body.data;
  const fits = BEHAVIOR_WORDS.order[list].flatMap((order) => {
    const [field = '', direction] = order.split(' ');
    const found = directionOf([rows.map((row) => Reflect.get(row, field))]);
    return found.directions.some((fit) => fit === direction) ? [{ order, steps: found.steps }] : [];
  });
  const [fit, another] = fits;
  if (fit === undefined) {
    return unknown(
      question,
      `the ${rows.length} rows are in no order that the mock has`,
      "Ask the service's team what the list is sorted by.",
    );
  }
  if (another !== undefined) {
    return unknown(
      question,
      `the ${rows.length} rows fit ${fits.map(({ order }) => order).join(' as well as ')}`,
      'Add rows that these orders would put in different places.',
    );
  }
  if (fit.steps < MIN_STEPS) {
    return unknown(
      question,
      `the ${rows.length} rows fit ${fit.order}, but so few could do so by chance`,
      `Add rows until more than ${MIN_STEPS} of them have different times.`,
    );
  }
  return learned(question, ['behavior', 'order', list], fit.order);
};

/** Reads one page of each list, and finds the one order in which all of its rows are. */
export const listOrder: Question = {
  topic: 'order of lists',
  ask: async (service) => [
    await ask(service, 'leads.list'),
    await ask(service, 'conversations.list'),
    await ask(service, 'agents.list'),
  ],
};
