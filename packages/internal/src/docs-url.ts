/** The address of the documentation. The build of a release sets it: see `scripts/publishing/docs-base.ts`. */
declare const CONFAB_DOCS_URL: string | undefined;

/** Returns the address of an error code in the documentation. */
export const docsUrlOf = (code: string): string | undefined =>
  typeof CONFAB_DOCS_URL === 'string' ? `${CONFAB_DOCS_URL}/errors#${code}` : undefined;
