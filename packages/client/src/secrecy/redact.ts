/**
 * Removes the API key from untrusted text. `createRedact` in `packages/internal/src/secrecy/redact.ts` creates such
 * functions. The type is defined here, because published declarations must not refer to that package.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut Whether the text is the beginning of a longer one. Its end is then dropped, because it may be part of a key.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;
