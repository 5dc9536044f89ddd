import type { LoggedRequest } from '../../api/types.ts';

/** How long a request took on the clock of the mock. */
export const durationText = ({ durationMs }: LoggedRequest): string => `${Math.round(durationMs)} ms`;
