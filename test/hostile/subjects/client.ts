/** A client with the options that most users have. It calls whatever server it is told to. */
import { ConfabError, createClient } from '@confab/client';
import { becomeSubject } from '../subject.ts';

becomeSubject(0, async (what, url) => {
  const confab = createClient({
    baseUrl: `${url}/${what}`,
    apiKey: 'confab_live_resources',
    retry: { limit: 1, baseDelay: 1 },
  });
  try {
    await confab.agents.list();
    return 'answered';
  } catch (error) {
    return error instanceof ConfabError ? error.code : `not ours: ${String(error)}`;
  }
});
