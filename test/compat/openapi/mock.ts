import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER, GENERATED, startUntil } from './tool.ts';

const COMMAND = join(FOLDER, '../../../packages/mock/src/cli/confab-mock.ts');

/** `confab-mock`, in a process of its own. */
export interface RunningMock {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Writes the OpenAPI document with its present rows as examples to a file; gives the file. */
  readonly document: () => Promise<string>;
  /** Calls one of its control endpoints. */
  readonly control: (name: string, body: object) => Promise<void>;
  readonly close: () => void;
}

export const startMock = async (): Promise<RunningMock> => {
  const args = ['--conditions=@confab/source', COMMAND, '--port', '0', '--quiet'];
  const { match, close } = await startUntil(process.execPath, args, /^(http\S+)\n(\S+)\n/);
  const [, baseUrl = '', apiKey = ''] = match;
  return {
    baseUrl,
    apiKey,
    close,
    document: async () => {
      const file = join(GENERATED, 'served.json');
      writeFileSync(file, await (await fetch(`${baseUrl}/__mock/api.json`)).text());
      return file;
    },
    control: async (name, body) => {
      const response = await fetch(`${baseUrl}/__mock/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!response.ok) {
        throw new Error(`${name}: ${await response.text()}`);
      }
    },
  };
};
