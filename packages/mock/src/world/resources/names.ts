/**
 * The kinds of rows, in the order in which they are loaded: leads need a pipeline. This file imports nothing, so that the
 * remote client can share it.
 */
export const RESOURCE_NAMES = ['pipelines', 'leads', 'conversations', 'messages', 'agents'] as const;

/** The name of a kind of row. */
export type ResourceName = (typeof RESOURCE_NAMES)[number];
