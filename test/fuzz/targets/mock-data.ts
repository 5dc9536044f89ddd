import { UsageError } from '@confab/internal/cli';
import { parseJson } from '../../../packages/mock/src/cli/parse-json.ts';
import { parseYaml } from '../../../packages/mock/src/cli/parse-yaml.ts';
import { dataIn } from '../../../packages/mock/src/cli/rows-file.ts';
import { planFault } from '../../../packages/mock/src/control/plan-fault.ts';
import { createMock } from '../../../packages/mock/src/create-mock.ts';
import { MockError } from '../../../packages/mock/src/errors/mock-error.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const refused = (error: unknown): undefined => {
  hold(error instanceof UsageError, `threw ${error}`);
  hold(!/[\p{Cc}\u2028\u2029]/u.test(error.message), 'the message is not one line');
  hold(error.message.length < 3_000, 'a long message');
  return undefined;
};

const attempt = async <Value>(run: () => Value | Promise<Value>): Promise<Value | undefined> => {
  try {
    return await run();
  } catch (error) {
    return refused(error);
  }
};

/** Reads a text with `JSON.parse` alone. */
const plainJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Each input is the text of a data file, which is read as YAML and as JSON. */
export const target: Target = {
  checks:
    'Data files as YAML and as JSON, with faults: refused in one line or loaded; what both formats accept is the same value; rows and faults of an accepted file load, or are refused by name',
  maxBytes: 1_500,
  work: (bytes) => 40_000 + 2_000 * bytes,
  words: [
    'leads:\n',
    '  - ',
    '&a ',
    '*a',
    '<<: *a',
    '!!binary ',
    '!!js/function ',
    '? ',
    '|\n',
    '%YAML 1.1\n',
    '---\n',
    'faults:\n',
    'operation: leads.list',
    'status: 503',
    '\t',
    '0x1F',
    '1_000',
    '.inf',
    'yes',
  ],
  run: async (input) => {
    const text = Buffer.from(input)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    const json = await attempt(() => parseJson('data.json', text));
    const yaml = await attempt(() => parseYaml('data.yaml', text));
    if (json !== undefined) {
      same(json, plainJson(text), 'the JSON');
      // An empty document is an empty file of rows in YAML, and a carriage return alone is not a line break there.
      if (yaml !== undefined && json !== null && !/\r(?!\n)/.test(text)) {
        same(yaml, json, 'the same text as YAML');
      }
    }
    for (const path of ['data.json', 'data.yaml']) {
      const data = await attempt(() => dataIn(path, text));
      if (data === undefined || typeof data.rows === 'string') {
        continue;
      }
      try {
        const mock = createMock({ data: data.rows });
        const planned = data.faults.map((plan) => planFault(mock.faults, plan));
        same(planned.length, mock.faults.planned.length, 'planned faults');
      } catch (error) {
        hold(error instanceof MockError, `threw ${error}`);
      }
    }
  },
};
