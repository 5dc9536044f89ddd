import type { Issue } from '../contract/types.ts';

/** Appends issues to a message, one line each. */
export const appendIssues = (message: string, issues: readonly Issue[]): string =>
  [message, ...issues.map((issue) => `  ${issue.path} ${issue.message}`)].join('\n');
