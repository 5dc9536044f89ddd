import { expect, test } from 'vitest';
import { runWith } from './support/command.ts';

const logOf = async (env: Record<string, string | undefined>): Promise<string> => {
  const { child, output, printed, ended } = runWith(
    { FORCE_COLOR: undefined, NO_COLOR: undefined, ...env },
    '--port',
    '0',
  );
  await printed(/Ctrl\+C/);
  const [, url = ''] = /Base URL +(\S+)/.exec(output()) ?? [];
  await fetch(`${url}/api/v2/public/leads`);
  await printed(/GET \/api/);
  child.kill('SIGINT');
  return (await ended).output;
};

test('the log has no color in a pipe, unless FORCE_COLOR is set', async () => {
  expect(await logOf({})).not.toContain('\u001b');
  expect(await logOf({ NO_COLOR: '1' })).not.toContain('\u001b');
  expect(await logOf({ FORCE_COLOR: '1' })).toContain('\u001b[33m401\u001b[39m GET ');
});
