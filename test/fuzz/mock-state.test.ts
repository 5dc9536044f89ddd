/**
 * Tries JSON files of rows. The mock refuses a file with a message of one line, or loads it. Then the saved state loads as
 * the same lists, with the same default pipelines and unique ids, and is saved as the same text.
 */
import { UsageError } from '@confab/internal/cli';
import type { Mock } from '@confab/mock';
import { createMock, MockError } from '@confab/mock';
import { parseData } from '../../packages/mock/src/cli/data-file.ts';
import { RESOURCE_NAMES } from '../../packages/mock/src/world/resources/names.ts';
import { assert, checkMessage, fuzz, nearJsonText, same } from './kit.ts';

/** The moment of many rows: a new row of this moment comes before them in a list. */
const MOMENT = '2026-01-31T12:00:00.000Z';
const id = (digit: number) => `${digit}2222222-2222-4222-8222-222222222222`;

/** Returns each list of a mock, whole and for each row by which it can be filtered, in the order of responses. */
const listsOf = (mock: Mock) => [
  ...RESOURCE_NAMES.map((name) => mock[name].find()),
  ...mock.pipelines
    .find()
    .flatMap(({ id: pipelineId }) => [
      mock.leads.find({ pipelineId }),
      mock.conversations.find({ pipelineId }),
    ]),
  ...mock.leads.find().map(({ id: leadId }) => mock.conversations.find({ leadId })),
  ...mock.conversations.find().map(({ id: conversationId }) => mock.messages.find({ conversationId })),
];

/**
 * Finds what the order of rows decides and no list shows: which pipeline a new lead gets, and which one once that is gone.
 * Deletes the pipelines of the mock.
 */
const defaultsOf = ({ pipelines, leads }: Mock): unknown[] =>
  // The rows of the last pipeline get a new one.
  pipelines.find().map(() => {
    const { id, pipelineId } = leads.create({ createdAt: MOMENT });
    pipelines.delete(pipelineId);
    return [pipelineId, leads.find().findIndex((lead) => lead.id === id)];
  });

/** Rows of which two have the same moment. */
const three = (name: string, moment: string) =>
  ['A', 'B', 'C'].map((text, index) => ({
    [name]: text,
    [moment]: index === 2 ? '2026-01-31T13:00:01+01:00' : MOMENT,
  }));

const STATES = [
  { $schema: 'x', leads: [{}, { phone: null }], conversations: [{}] },
  {
    pipelines: three('name', 'createdAt'),
    agents: three('name', 'updatedAt'),
    leads: [{ id: id(2), phone: '+442079460958', status: 'new' }, ...three('displayName', 'createdAt')],
    conversations: [{ id: id(3), leadId: id(2) }, ...three('channel', 'createdAt'), { status: 'closed' }],
    messages: three('content', 'createdAt').map((row) => ({ conversationId: id(3), ...row })),
  },
];
const TOKENS =
  `id leadId pipelineId conversationId createdAt pipelines agents ${id(2)} ${id(3)} ${MOMENT}`.split(' ');

fuzz(
  'mock-state: a file of rows is refused in one line, or loads and saves as the same state',
  nearJsonText(STATES, TOKENS),
  (text) => {
    let mock: Mock;
    try {
      mock = createMock({ data: parseData('state.json', text) });
    } catch (error) {
      assert.ok(error instanceof UsageError || error instanceof MockError, error as Error);
      if (error instanceof UsageError) {
        checkMessage(error.message);
      }
      return;
    }
    const saved = JSON.stringify(mock.dump());
    const again = createMock({ data: parseData('state.json', saved), seed: 7 });
    assert.equal(JSON.stringify(again.dump()), saved, 'the saved state loads as a different one');
    same(listsOf(again), listsOf(mock), 'the lists of the saved state');
    for (const list of Object.values(again.dump())) {
      assert.equal(new Set(list.map(({ id }) => id)).size, list.length, 'an id twice');
    }
    same(defaultsOf(again), defaultsOf(mock), 'the pipelines of new leads');
  },
  ['{"\u007f\u001b[2J":[]}'],
);
