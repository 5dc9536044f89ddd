import type { Question } from '../finding.ts';

/** Sends writes that change nothing, because their row does not exist or their body lacks a field; their codes count. */
export const refusedWrites: Question = {
  topic: 'codes of refused writes',
  writes: true,
  async ask(service) {
    const { nobody: id } = service;
    await service.write('leads.update', { id, body: { status: 'new' } });
    await service.write('conversations.sendMessage', { id, body: { content: 'confab-probe' } });
    await service.write('agents.invoke', { id, body: { userMessage: 'confab-probe' } });
    const { phone: _, ...body } = service.newLead();
    await service.write('leads.create', { body });
    return [];
  },
};
