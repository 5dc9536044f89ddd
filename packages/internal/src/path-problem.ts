import { typeName } from './values.ts';

/** Matches a character that RFC 3986 forbids in a path. With the flag `i`, `\w` would match two letters outside ASCII. */
const FORBIDDEN = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@%/-]/u;

/** Decodes a segment as a server may: it turns lookalikes into the plain character, so U+2024 becomes a dot. */
const decodeSegment = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment).normalize('NFKC');
  } catch {
    return undefined;
  }
};

/**
 * Returns the rule that a path below a base URL breaks, or undefined if every server reads the path in the same way and
 * none reads it as a path outside the base URL.
 *
 * @example
 * ```ts
 * pathProblem('/tags/%C3%A4'); // undefined
 * pathProblem('/tags/..'); // 'must not contain an empty, . or .. segment, encoded or not'
 * ```
 */
export const pathProblem = (path: unknown): string | undefined => {
  if (typeof path !== 'string') {
    return `must be a string, got ${typeName(path)}`;
  }
  if (!path.startsWith('/')) {
    return /^https?:/i.test(path) ? 'must not be a URL: it is appended to baseUrl' : 'must start with /';
  }
  if (/[?#]/.test(path)) {
    return 'must not contain ? or #: pass the query as `query`';
  }
  const [forbidden] = FORBIDDEN.exec(path) ?? [];
  if (forbidden !== undefined) {
    return `contains ${JSON.stringify(forbidden)}: encode each part with \`encodeURIComponent\``;
  }
  // A slash at the end does not begin a segment.
  const [, ...segments] = path.replace(/(.)\/$/, '$1').split('/');
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === undefined) {
      return 'must be percent-encoded UTF-8';
    }
    const [special] = /[/\\%\p{Cc}]/u.exec(text) ?? [];
    if (special !== undefined) {
      return `must not contain ${JSON.stringify(special)} encoded: some servers decode it`;
    }
    // Some servers read `..;` as `..`.
    if (/^\.{0,2}$|^\.\.?;/.test(text)) {
      return 'must not contain an empty, . or .. segment, encoded or not';
    }
  }
  return undefined;
};
