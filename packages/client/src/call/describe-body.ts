import { oneLine } from '@confab/internal';
import type { ApiResponse } from './call-result.ts';

/** Characters of a page's title, of a proxy's text or of a content type to quote. */
const LONGEST = 60;

/** Characters in which a page has its title. */
const HEAD = 4_000;

/** Characters of a body that an error keeps. */
const LONGEST_KEPT = 10_000;

/** Returns the body for the `body` field of an error. */
export const bodyOf = ({ text, redact }: ApiResponse): string | undefined =>
  text === undefined ? undefined : redact(text, LONGEST_KEPT);

/**
 * Describes a body that is not the API's, in enough words to recognize a proxy. Messages end up in logs, and data may be
 * personal, so only the title of a page and the text of an error status are quoted.
 */
export const describeBody = ({ text = '', body, status, headers, redact }: ApiResponse): string => {
  if (text.trim() === '') {
    return status === 407 ? 'a proxy asks for credentials' : 'an empty body';
  }
  const quoted = (found: string) => JSON.stringify(oneLine(redact(found, LONGEST)));
  const title = body === undefined && /<title[^<>]*>([^<]+)</i.exec(text.slice(0, HEAD))?.[1]?.trim();
  if (title) {
    return `a page titled ${quoted(title)}`;
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (status >= 400 && body === undefined && /^(?:text\/plain)?$/i.test(type)) {
    return `a body that starts with ${quoted(text.trimStart())}`;
  }
  return `${text.length} characters of ${body === undefined ? oneLine(type.slice(0, LONGEST)) || 'an unknown type' : 'JSON'}`;
};
