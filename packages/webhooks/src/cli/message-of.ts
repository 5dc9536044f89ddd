/** The message of an error, which names the command instead of the function that does the same. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(
    'detectSignature()',
    '"confab-webhooks detect"',
  );
