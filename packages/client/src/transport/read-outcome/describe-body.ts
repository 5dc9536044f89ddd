import { oneLine } from '../../secrecy/one-line.ts';
import type { ApiResponse } from '../api-response.ts';

/** Describes the beginning of a body, which is enough to recognize a proxy's HTML page. */
export const describeBody = ({ text, redact }: ApiResponse): string =>
  text.trim() === ''
    ? 'an empty body'
    : `a body that starts with ${JSON.stringify(oneLine(redact(text.trimStart(), 60)))}`;
