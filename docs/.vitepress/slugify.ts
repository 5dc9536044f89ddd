/** The anchor that GitHub gives a heading. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/**
 * The anchor of a heading, as GitHub makes it: links between the documents work there and here. An error code stays as it
 * is, because `docsUrl` of the error ends with it.
 */
export const slugify = (heading: string): string => {
  const text = heading.trim();
  return /^[A-Z]+(?:_[A-Z]+)*$/.test(text) ? text : anchorOf(text);
};
