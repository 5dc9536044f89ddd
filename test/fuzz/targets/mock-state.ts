import { UsageError } from '@confab/internal/cli';
import { rowsIn } from '../../../packages/mock/src/cli/rows-file.ts';
import { createMock } from '../../../packages/mock/src/create-mock.ts';
import { MockError } from '../../../packages/mock/src/errors/mock-error.ts';
import type { Mock } from '../../../packages/mock/src/mock.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/** The moment of many rows in the corpus: a new row of this moment comes before them in a list. */
const MOMENT = '2026-01-31T12:00:00.000Z';

/** The lists in which ids must be unique. */
const LISTS = ['pipelines', 'agents', 'leads', 'conversations', 'messages'] as const;

/** Each list of a mock, as a whole and for each row that it can be filtered by, in the order of answers. */
const listsOf = ({ pipelines, agents, leads, conversations, messages }: Mock) => [
  pipelines.find(),
  agents.find(),
  leads.find(),
  conversations.find(),
  messages.find(),
  ...pipelines
    .find()
    .flatMap(({ id: pipelineId }) => [leads.find({ pipelineId }), conversations.find({ pipelineId })]),
  ...leads.find().map(({ id: leadId }) => conversations.find({ leadId })),
  ...conversations.find().map(({ id: conversationId }) => messages.find({ conversationId })),
];

/**
 * What the order of rows decides and no list shows: which pipeline a new lead gets, and which one after that is gone.
 * Deletes the pipelines of the mock.
 */
const defaultsOf = ({ pipelines, leads }: Mock): unknown[] => {
  const defaults: unknown[] = [];
  while (pipelines.count() > 0) {
    const { id, pipelineId } = leads.create({ createdAt: MOMENT });
    defaults.push([pipelineId, leads.find().findIndex((lead) => lead.id === id)]);
    pipelines.delete(pipelineId);
  }
  return defaults;
};

/** Each input is the text of a file of rows as JSON. */
export const target: Target = {
  checks:
    'Files of rows as JSON: refused in one line, or loaded so that the saved state loads as the same lists, with the same default pipelines, and saves as the same text; no id twice',
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
    let mock: Mock;
    try {
      mock = createMock({ data: rowsIn('state.json', text) });
    } catch (error) {
      hold(error instanceof UsageError || error instanceof MockError, `threw ${error}`);
      hold(error instanceof MockError || isOneLine(error.message), 'the message is not one line');
      return;
    }
    hold(JSON.parse(text.replace(/^\uFEFF/, '')) !== undefined, 'loaded what is not JSON');
    const saved = JSON.stringify(mock.dump());
    const again = createMock({ data: rowsIn('state.json', saved), seed: 7 });
    hold(JSON.stringify(again.dump()) === saved, 'the saved state loads as another one');
    same(listsOf(again), listsOf(mock), 'the lists of the saved state');
    const rows = again.dump();
    for (const list of LISTS) {
      const ids = rows[list].map(({ id }) => id);
      same(new Set(ids).size, ids.length, 'different ids');
    }
    same(defaultsOf(again), defaultsOf(mock), 'the pipelines of new leads');
  },
};
