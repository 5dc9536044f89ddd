/**
 * Removes secrets from untrusted text. The function comes from a package that is not published, so its type is written
 * here once more: declarations cannot refer to it.
 *
 * @param most Maximum length of the result. It keeps a long text from taking long.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, most?: number, isCut?: boolean) => string;
