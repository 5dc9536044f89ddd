import type { CollectionName } from '../../../../src/control/routes.ts';

/** The fields of each collection that its table shows; the first names a row. */
export const SHOWN_FIELDS: Readonly<Record<CollectionName, readonly string[]>> = {
  leads: ['displayName', 'phone', 'source', 'createdAt', 'status'],
  conversations: ['id', 'channel', 'lastMessageAt', 'priority', 'status'],
  messages: ['content', 'conversationId', 'createdAt', 'direction'],
  agents: ['name', 'description', 'llmProvider', 'updatedAt'],
  pipelines: ['name', 'id', 'createdAt'],
};

/** What one row of a collection is called. */
export const nounOf = (collection: CollectionName): string => collection.slice(0, -1);

/** The name of a field as a label: `displayName` is “Display name”. */
export const labelOf = (field: string): string => {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\bllm\b/, 'LLM');
};

/** Whether the values of a field are moments. */
export const isMoment = (field: string): boolean => field.endsWith('At');
