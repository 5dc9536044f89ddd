import { typeName } from './values.ts';

/** Matches characters that RFC 3986 forbids in a path. No flag `i`: it would make `\w` match two letters outside ASCII. */
const FOREIGN = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@%/-]/u;

/** Decodes a segment as a server may: lookalikes become the plain character, so U+2024 is a dot. */
const readAs = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment).normalize('NFKC');
  } catch {
    return undefined;
  }
};

/**
 * Returns which rule a path below a base URL breaks; undefined for a path that every server reads in the same way, and
 * that none reads as one elsewhere.
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
  const [foreign] = FOREIGN.exec(path) ?? [];
  if (foreign !== undefined) {
    return `contains ${JSON.stringify(foreign)}: encode each part with \`encodeURIComponent\``;
  }
  // A slash at the end begins no segment.
  const [, ...segments] = path.replace(/(.)\/$/, '$1').split('/');
  for (const segment of segments) {
    const text = readAs(segment);
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
