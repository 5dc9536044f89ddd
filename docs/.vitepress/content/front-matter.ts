const PLAIN: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\[((?:`[^`]*`|[^\][`])*)\]\([^)]*\)/g, '$1'],
  [/[`*]{1,2}(\S(?:[^`*]*\S)?)[`*]{1,2}/g, '$1'],
  // Underscores within a name, such as CONFAB_API_KEY, stay.
  [/(?<!\w)_(\S(?:[^_]*\S)?)_(?!\w)/g, '$1'],
  [/\s+/g, ' '],
];

/** The first paragraph of text after the heading, without markup, cut to a length that search engines show. */
export const summarize = (markdown: string): string | undefined => {
  const paragraph = markdown
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .split(/\n{2,}/)
    .find((block) => /^[\w`*[“"]/.test(block) && !block.startsWith('***'));
  const text =
    paragraph && PLAIN.reduce((plain, [pattern, to]) => plain.replaceAll(pattern, to), paragraph).trim();
  return text && text.length > 160 ? `${text.slice(0, 159).replace(/\s+\S*$/, '')}…` : text;
};

/** Puts fields that VitePress reads in front of a page. */
export const withFrontMatter = (markdown: string, fields: Readonly<Record<string, unknown>>): string => {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n\n${markdown}`;
};
