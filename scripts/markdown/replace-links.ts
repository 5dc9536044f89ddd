/** A link or picture whose target is relative to the folder of the Markdown file. */
export interface RelativeLink {
  /** The text of the link, or the alternative text of the picture. */
  readonly text: string;
  readonly target: string;
  /** With its `#`, or empty. */
  readonly anchor: string;
  readonly picture: boolean;
}

/** Matches code, which contains no links, or a link or a picture. */
const CODE_OR_LINK =
  /^( *)(`{3,}).*?^\1\2$|`[^`\n]*`(?!\])|(!?)\[((?:`[^`]*`|[^\][`])*)\]\(([^)\s#]*)(#[^)\s]*)?\)/gms;

/**
 * Replaces the relative links and pictures of a Markdown text.
 *
 * @param replacement Returns what to put in place of a link, or undefined to keep it.
 */
export const replaceLinks = (
  markdown: string,
  replacement: (link: RelativeLink) => string | undefined,
): string =>
  markdown.replaceAll(
    CODE_OR_LINK,
    (whole, _indent, _fence, mark?: string, text?: string, target = '', anchor = '') => {
      if (text === undefined || target === '' || /^[a-z][a-z+.-]*:/i.test(target)) {
        return whole;
      }
      return replacement({ text, target, anchor, picture: mark === '!' }) ?? whole;
    },
  );
