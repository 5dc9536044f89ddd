/**
 * Removes secrets from untrusted text. The function comes from a package that is not published, so its type is written
 * here once more: declarations cannot refer to it.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;
