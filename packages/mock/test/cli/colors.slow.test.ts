import { listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { runWith } from '../support/command.ts';

const logOf = async (env: Record<string, string | undefined>): Promise<string> => {
  const receiver = await listen((_, response) => response.end());
  const { child, output, printed, ended } = runWith(
    { FORCE_COLOR: undefined, NO_COLOR: undefined, ...env },
    ...['--port', '0', '--webhook', `${receiver}/`, '--webhook-secret', 'secret'],
  );
  await printed(/Ctrl\+C/);
  const [, url = ''] = /Base URL +(\S+)/.exec(output()) ?? [];
  await fetch(`${url}/api/v2/public/leads`);
  await printed(/GET \/api/);
  await fetch(`${url}/__mock/inbound`, { method: 'POST', body: '{"phone":"+5511987654321","body":"Hello"}' });
  await printed(/\(delivery/);
  child.kill('SIGINT');
  return (await ended).output;
};

test('the log has no color in a pipe, unless FORCE_COLOR is set', async () => {
  expect(await logOf({})).not.toContain('\u001b');
  const colored = await logOf({ FORCE_COLOR: '1' });
  expect(colored).toContain('\u001b[33m401\u001b[39m GET ');
  expect(colored).toContain('\u001b[32m200\u001b[39m POST ');
});
