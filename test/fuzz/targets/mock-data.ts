/**
 * Data files as YAML and as JSON, with faults: refused in one line or loaded; what both formats accept is the same data;
 * rows and faults of an accepted file load, or are refused by name.
 */
import { UsageError } from '@confab/internal/cli';
import { createMock, MockError } from '@confab/mock';
import { dataIn } from '../../../packages/mock/src/cli/data-file.ts';
import { planFault } from '../../../packages/mock/src/control/plan-fault.ts';
import { assert, checkMessage, define, fc, nearJsonText, nearText, parsed, piece } from '../kit.ts';

type DataFile = Awaited<ReturnType<typeof dataIn>>;

const read = (path: string, text: string): Promise<DataFile | undefined> =>
  dataIn(path, text).catch((error: unknown) => {
    assert.ok(error instanceof UsageError, error as Error);
    checkMessage(error.message);
    return undefined;
  });

const checkLoads = ({ rows, faults }: DataFile): void => {
  try {
    const mock = createMock({ data: rows });
    for (const fault of faults) {
      planFault(mock.faults, fault);
    }
    assert.equal(mock.faults.planned.length, faults.length);
  } catch (error) {
    assert.ok(error instanceof MockError, error as Error);
  }
};

const YAML = `pipelines:
  - name: Sales
leads:
  - phone: "+442079460958"
    displayName: Ada
  - &b
    displayName: Bob
  - <<: *b
    status: active
faults:
  - operation: leads.list
    times: 1
    fault: { status: 503 }
`;
const JSON_DATA = {
  leads: [{ displayName: 'Ada', createdAt: '2026-01-31T12:00:00.000Z' }],
  faults: [{ operation: 'leads.get', fault: { status: 404, skip: 1 } }],
};
const TOKENS =
  '[,: ,\r\n,\t,.inf,yes,0x1F,1_000,network,pipelines,status: 503,operation: leads.list,"\\e[2J": 1,leads:\n,faults:\n,  - ,&a ,*a,<<: *a,? ,|\n,---\n,!!binary ,!!js/function ,%YAML 1.1\n'.split(
    ',',
  );

export const target = define(
  fc.oneof(nearText([YAML], piece(TOKENS, 200)), nearJsonText([JSON_DATA], TOKENS)),
  async (text) => {
    const [json, yaml] = await Promise.all([read('data.json', text), read('data.yaml', text)]);
    for (const data of [json, yaml]) {
      if (data !== undefined) {
        checkLoads(data);
      }
    }
    if (json !== undefined) {
      const {
        $schema: _,
        faults = [],
        ...rows
      } = parsed(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
      // A schema puts the lists into its own order.
      assert.deepEqual([json.rows, json.faults], [rows, faults], 'the JSON');
      // A carriage return alone is not a line break in YAML.
      if (yaml !== undefined && !/\r(?!\n)/.test(text)) {
        assert.deepEqual(yaml.rows, json.rows, 'the same text as YAML');
        assert.deepEqual(yaml.faults, json.faults, 'the same faults as YAML');
      }
    }
  },
  ['faults:\n  - "\\e[2J": 1\n'],
);
