import { oneLine, typeName } from '@confab/internal';

/**
 * Encodings of what has a meaning in a path: `.`, `/`, `\`, `%` and control characters, their overlong forms of two to six
 * bytes, and their full-width forms. Some servers decode these leniently, or twice.
 */
const DECODED = /%(?:2[ef5]|5c|[01][\da-f]|7f|c[01]|e0%[89]|f0%8|f[8-f]|ef%bc%(?:8[ef5]|bc))/i;

/** An empty segment, `.` or `..`. Some servers also read `..;` as `..`. */
const RELATIVE = /^\/$|\/(?:\/|\.\.?(?:[/;]|%3b|$))/i;

/** What RFC 3986 does not allow in a segment. Without the flag `i`, which would make `\w` match two letters outside ASCII. */
const FOREIGN = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@%/-]/u;

/** Returns which rule a path breaks; undefined for a path that every server reads in the same way. */
export const pathProblem = (path: unknown): string | undefined => {
  if (typeof path !== 'string') {
    return `must be a string, got ${typeName(path)}`;
  }
  if (!path.startsWith('/')) {
    return 'must start with /';
  }
  if (/[?#]/.test(path)) {
    return 'must not contain ? or #: pass the query as `query`';
  }
  if (path.includes('//')) {
    return 'must not contain //';
  }
  if (RELATIVE.test(path)) {
    return 'must not contain an empty, . or .. segment, encoded or not';
  }
  const [foreign] = FOREIGN.exec(path) ?? [];
  if (foreign !== undefined) {
    return `contains ${oneLine(JSON.stringify(foreign))}: encode each part with \`encodeURIComponent\``;
  }
  const [decoded] = DECODED.exec(path) ?? [];
  return decoded && `must not contain ${decoded}, which some servers decode to a part of a path`;
};
