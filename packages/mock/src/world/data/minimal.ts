import type { MockData } from '../store/store.ts';

/** One pipeline and one agent: enough for every operation to work. */
export const minimal: MockData = {
  pipelines: [{ name: 'Sales' }],
  agents: [{ name: 'Assistant', description: 'Answers questions', llmModel: 'echo-1' }],
};
