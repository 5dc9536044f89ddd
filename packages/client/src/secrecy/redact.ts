/**
 * Removes the API key from untrusted text. `createRedact` of the internal package creates such functions. The type is
 * defined here, because published declarations must not refer to that package.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;
