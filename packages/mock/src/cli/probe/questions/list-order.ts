import type { OperationId } from '@confab/client/contract';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import { directionOf, MIN_STEPS, onlyFit } from '../evidence.ts';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';

type List = keyof typeof BEHAVIOR_WORDS.order & OperationId;

const orderOf = (list: List) =>
  rule({
    question: `Order of ${list}`,
    path: ['behavior', 'order', list],
    async ask(service) {
      const { data } = await service.need(list, list === 'agents.list' ? {} : { query: { limit: 100 } });
      const rows: readonly object[] = data;
      const runOf = (field: string) => directionOf([rows.map((row) => Reflect.get(row, field))]);
      const fits = BEHAVIOR_WORDS.order[list].filter((order) => {
        const [field = '', direction] = order.split(' ');
        return runOf(field).directions.some((fit) => fit === direction);
      });
      const order = onlyFit(
        fits,
        `the ${rows.length} rows`,
        'Add rows that these orders would put in different places.',
      );
      const [field = ''] = order?.split(' ') ?? [];
      if (runOf(field).steps < MIN_STEPS) {
        throw new NoAnswer(
          `the ${rows.length} rows fit ${order}, but so few could do so by chance`,
          `Add rows until more than ${MIN_STEPS} of them have different times.`,
        );
      }
      return order;
    },
  });

/** Reads one page of each list, and finds the one order in which all of its rows are. */
export const listOrder = [orderOf('leads.list'), orderOf('conversations.list'), orderOf('agents.list')];
