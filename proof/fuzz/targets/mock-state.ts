import { UsageError } from '@confab/internal/cli';
import { rowsIn } from '../../../packages/mock/src/cli/rows-file.ts';
import { createMock } from '../../../packages/mock/src/create-mock.ts';
import { MockError } from '../../../packages/mock/src/errors/mock-error.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/** The lists in which ids must be unique. */
const LISTS = ['pipelines', 'agents', 'leads', 'conversations', 'messages'] as const;

/** Each input is the text of a file of rows as JSON. */
export const target: Target = {
  checks:
    'Files of rows as JSON: refused in one line, or loaded so that the saved state loads again as the same state; no id twice',
  maxBytes: 2_500,
  work: (bytes) => 30_000 + 1_500 * bytes,
  words: [
    '"pipelines":[',
    '"leads":[',
    '"conversations":[',
    '"messages":[',
    '"agents":[',
    '__proto__',
    '"id":',
    '"leadId":',
  ],
  run: (input) => {
    const text = Buffer.from(input).toString('utf8');
    let saved: string;
    try {
      const mock = createMock({ data: rowsIn('state.json', text) });
      saved = JSON.stringify(mock.dump());
    } catch (error) {
      hold(error instanceof UsageError || error instanceof MockError, `threw ${error}`);
      hold(error instanceof MockError || isOneLine(error.message), 'the message is not one line');
      return;
    }
    hold(JSON.parse(text.replace(/^\uFEFF/, '')) !== undefined, 'loaded what is not JSON');
    const again = createMock({ data: rowsIn('state.json', saved), seed: 7 });
    hold(JSON.stringify(again.dump()) === saved, 'the saved state loads as another one');
    const rows = again.dump();
    for (const list of LISTS) {
      const ids = rows[list].map(({ id }) => id);
      same(new Set(ids).size, ids.length, 'different ids');
    }
  },
};
