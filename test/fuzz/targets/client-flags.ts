/**
 * Command lines of `confab`, sent nowhere: refused with code 2 and a message without control characters or the key, or a
 * request that is the same when its body is passed as `--data`.
 */
import { operations } from '@confab/client/contract';
import { run } from '../../../packages/client/src/cli/run.ts';
import { operationIds } from '../contract.ts';
import { assert, checkHidden, define, fc, near, piece, same } from '../kit.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
const ID = '22222222-2222-4222-8222-222222222222';
const env = { CONFAB_BASE_URL: 'https://api.example.com', CONFAB_API_KEY: KEY };

/** Runs a command line that sends nothing. */
const runDry = async (args: readonly string[]) => {
  const written = { out: '', err: '' };
  const output = (name: keyof typeof written) => ({
    isTerminal: false,
    columns: 80,
    write: async (text: string) => {
      written[name] += text;
    },
    bold: (text: string) => text,
  });
  const stdin = async () => '{"displayName":"from standard input"}';
  const io = { env, out: output('out'), err: output('err'), stdin, askSecret: undefined };
  return { code: await run(['--dry-run', ...args], io), ...written };
};

/** The words of the command for an operation: `conversations send-message`. */
const wordsOf = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('.');

const EXAMPLES = [
  'leads create --phone +442079460958 --display-name=Ada --no-email',
  `leads update ${ID} --data {"status":"active"} --json`,
  `--api-key ${KEY} leads get ${KEY}`,
  'leads list --limit=2 --status new --all',
  `conversations send-message ${ID} --data=- --content Hi`,
  `agents invoke ${ID} --user-message Hi`,
  'analytics funnel --from 2026-01-01T00:00:00Z --to=2026-01-31T00:00:00Z',
  // Past findings.
  'leads list --limit=2 --status \u007f',
  `--api-key --${KEY} leads get`,
].map((line) => line.split(' '));
const TOKENS = [
  ...operationIds.flatMap(wordsOf),
  ...EXAMPLES.flat(),
  '--data --json --all --limit --max --help --version --no-email --source= --notes --pipeline-id -- - = help'.split(
    ' ',
  ),
  '{"phone":"+442079460958"}',
].flat();
// Arguments with `@` name files.
const argument = fc
  .oneof(fc.constantFrom(...TOKENS), piece(TOKENS, 3))
  .map((text) => text.replaceAll('@', ''));

export const target = define(
  near(EXAMPLES, argument),
  async (args) => {
    const { code, out, err } = await runDry(args);
    assert.ok(code === 0 || code === 2, `the code is ${code}: ${err}`);
    checkHidden(out + err, [KEY]);
    assert.doesNotMatch(out + err, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    assert.ok(code === 0 || (out === '' && err.endsWith('\n')), 'no message');
    if (code === 2 || !out.startsWith('{"method":')) {
      return;
    }
    const { method, url, body } = JSON.parse(out) as { method: string; url: string; body?: object };
    const { protocol, pathname } = new URL(url);
    assert.match(protocol, /^https?:$/);
    for (const id of operationIds) {
      const pattern = new RegExp(`${operations[id].path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
      const [match, ...params] = pattern.exec(pathname) ?? [];
      if (match !== undefined && operations[id].method === method && body !== undefined) {
        const again = await runDry([...wordsOf(id), ...params, '--data', JSON.stringify(body)]);
        same(JSON.parse(again.out).body, body, 'the body by --data');
      }
    }
  },
  EXAMPLES,
);
