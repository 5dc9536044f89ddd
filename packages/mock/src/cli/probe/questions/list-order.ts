import { BEHAVIOR_WORDS } from '../../../world/complete-behavior.ts';
import { onlyOrder } from '../evidence.ts';
import type { Question } from '../question.ts';
import { FIRST_PAGE } from '../service.ts';

const orderOf = (list: keyof typeof BEHAVIOR_WORDS.order): Question => ({
  text: `Order of ${list}`,
  option: ['behavior', 'order', list],
  async ask(service) {
    const { data } = await service.need(list, list === 'agents.list' ? {} : FIRST_PAGE);
    return onlyOrder(BEHAVIOR_WORDS.order[list], [data], 'rows');
  },
});

/** Reads one page of each list, and finds the one order in which all of its rows are. */
export const listOrder = [orderOf('leads.list'), orderOf('conversations.list'), orderOf('agents.list')];
