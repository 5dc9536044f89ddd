import type { Question } from '../finding.ts';
import { PROBE } from '../service.ts';

/** Sends writes that change nothing, because their row does not exist or their body lacks a field; their codes count. */
export const refusedWrites: Question = {
  topic: 'codes of refused writes',
  writes: true,
  async ask(service) {
    const { phone: _, ...body } = service.newLead();
    for (const id of [service.nobody, service.another]) {
      await service.write('leads.update', { id, body: { status: 'new' } });
      await service.write('conversations.sendMessage', { id, body: { content: PROBE } });
      await service.write('agents.invoke', { id, body: { userMessage: PROBE } });
      await service.write('leads.create', { body });
    }
    return [];
  },
};
