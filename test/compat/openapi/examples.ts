import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { operations } from '@confab/client/contract';
import type { RunningMock } from './mock.ts';
import { FOLDER, GENERATED, runTool } from './tool.ts';

const OPERATIONS = Object.keys(operations).length;

const dredd = async ({ document, baseUrl, apiKey }: RunningMock): Promise<void> => {
  const printed = await runTool('dredd', [
    await document(),
    baseUrl,
    '--hookfiles=dredd-hooks.cjs',
    `--header=X-API-Key: ${apiKey}`,
  ]);
  const passed = Number(/complete: (\d+) passing/.exec(printed)?.[1]);
  if (passed !== OPERATIONS) {
    throw new Error(`Dredd passed ${passed} of ${OPERATIONS} operations\n${printed}`);
  }
};

const portman = async ({ document, baseUrl, apiKey }: RunningMock): Promise<void> => {
  const collection = join(GENERATED, 'portman.json');
  const printed = await runTool(
    'portman',
    [
      '--local',
      await document(),
      '--baseUrl',
      baseUrl,
      '--output',
      collection,
      '--includeTests',
      '--runNewman',
    ],
    { PORTMAN_API_KEY: apiKey },
    // It leaves files where it runs.
    GENERATED,
  );
  const passed = printed.match(/✓ .*Status code is 2xx/g)?.length;
  if (passed !== OPERATIONS) {
    throw new Error(`Portman passed ${passed} of ${OPERATIONS} operations\n${printed}`);
  }
};

interface Workflow {
  readonly tests: Record<string, { readonly steps: { http: { headers?: Record<string, string> } }[] }>;
}

interface StepCiPlugin {
  readonly generateWorkflow: (file: string, options: object) => Promise<Workflow>;
}

const stepCi = async ({ document, apiKey }: RunningMock): Promise<void> => {
  const plugin = createRequire(join(FOLDER, 'package.json'))('@stepci/plugin-openapi') as StepCiPlugin;
  // The rows of the mock change with what is sent, and so its answers are not those of the examples to the letter.
  const workflow = await plugin.generateWorkflow(await document(), { check: { examples: false } });
  // What it generates carries no key.
  for (const { http } of Object.values(workflow.tests).flatMap(({ steps }) => steps)) {
    http.headers = { ...http.headers, 'X-API-Key': apiKey };
  }
  const file = join(GENERATED, 'stepci.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(workflow));
  const printed = await runTool('stepci', ['run', file]);
  const passed = Number(/Steps:.* (\d+) passed/.exec(printed)?.[1]);
  if (passed !== OPERATIONS) {
    throw new Error(`StepCI passed ${passed} of ${OPERATIONS} operations\n${printed}`);
  }
};

/** Tools that send the examples of the document that the mock serves, and check what comes back. */
export const sendExamples = { Dredd: dredd, Portman: portman, StepCI: stepCi };
