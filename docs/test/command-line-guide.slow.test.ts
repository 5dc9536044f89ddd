import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@confab/internal/test-support';
import type { Mock } from '@confab/mock';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, read } from './support/repository.ts';

const GUIDE = 'docs/guides/command-line.md';

const blocks = [...read(GUIDE).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** What stands for an installation: `confab` is run from its source, by itself and by `npx`. */
const installed = `set -euo pipefail
confab() { "${process.execPath}" --conditions=@confab/source "${ROOT}packages/client/src/cli/confab.ts" "$@"; }
npx() {
  while [ "$1" = --package ]; do shift 2; done
  confab "\${@:2}"
}
command -v jq > /dev/null || jq() { cat; }
phone=+12025550100
`;

/** A service with the rows whose ids the guide names. */
const createService = (): Mock => {
  const mock = createMock({ clock: 'system' });
  const lead = mock.leads.create({ id: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11', phone: '+12025550100' });
  mock.conversations.create({ id: '8a4f3f0e-1f61-4f0c-8e0a-7b1f0c2d9e33', leadId: lead.id });
  mock.agents.create({ id: 'c1b7a0de-2f4e-4f55-8a39-5e2f6f8d7c44' });
  return mock;
};

const runBlock = async (code: string) => {
  const mock = createService();
  await using server = await serve(mock);
  const folder = mkdtempSync(join(tmpdir(), 'confab-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = code
    .replace('https://api.example.com', server.url)
    .replace('CONFAB_API_KEY=…', `CONFAB_API_KEY=${mock.apiKey}`);
  const { code: status, errors } = await runProgram('bash', ['-c', installed + script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, CONFAB_BASE_URL: server.url, CONFAB_API_KEY: mock.apiKey },
  });
  expect(status, errors).toBe(0);
  return { mock, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
};

test.for(blocks.map((code) => [code.split('\n')[0] ?? '', code] as const))(
  'the commands that begin with %s succeed',
  async ([, code]) => {
    const { mock, read } = await runBlock(code);
    const sent = code.match(/^(?:npx .*)?confab (?!.*--mock)|^npx @confab\/client/gm)?.length ?? 0;
    expect(mock.requests.all.length).toBeGreaterThanOrEqual(sent);
    if (code.includes('> leads.jsonl')) {
      expect(read('leads.jsonl').trim().split('\n')).toHaveLength(mock.leads.count());
    }
  },
);

test('a command that fails is reported', async () => {
  await expect(runBlock('confab leads get 00000000-0000-4000-8000-000000000000\n')).rejects.toThrow('404');
  await expect(runBlock('confab leads list --statsu new\n')).rejects.toThrow('Did you mean');
});
