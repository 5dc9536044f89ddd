/**
 * Returns the address of the documentation, without a slash at its end. GitHub Pages derives it from the name of the
 * repository, which the release workflow knows; `CONFAB_DOCS_URL` replaces it. Without either, it returns undefined.
 */
export const docsBase = ({ CONFAB_DOCS_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): string | undefined => {
  if (CONFAB_DOCS_URL) {
    return CONFAB_DOCS_URL.replace(/\/+$/, '');
  }
  const [owner, name] = GITHUB_REPOSITORY?.split('/') ?? [];
  return owner && name ? `https://${owner.toLowerCase()}.github.io/${name}` : undefined;
};

/** What the build puts in place of the constant that `packages/internal/src/docs-url.ts` declares. */
export const docsDefine = (env: NodeJS.ProcessEnv = process.env): { CONFAB_DOCS_URL: string } => ({
  CONFAB_DOCS_URL: JSON.stringify(docsBase(env)) ?? 'undefined',
});
