import { connect } from 'node:net';
import type { Action, Context } from './context.ts';
import { pick } from './context.ts';

/** Milliseconds to wait for a response, before the connection is cut. */
const PATIENCE = 500;

const PATH = '/api/v2/public/leads';

const head = ({ remote, url }: Context, ...lines: readonly string[]): string =>
  [
    `POST ${PATH} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `x-api-key: ${remote.apiKey}`,
    'content-type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');

const MIB = 1_048_576;

/** What a stranger may send, and whether it then waits for a response or cuts the connection at once. */
const ATTACKS: readonly {
  readonly name: string;
  readonly bytes: (context: Context) => string;
  readonly waits: boolean;
}[] = [
  {
    name: 'truncated body',
    bytes: (context) => `${head(context, 'content-length: 1000')}{"phone":"+44`,
    waits: false,
  },
  {
    name: 'body announced as too large',
    bytes: (context) => head(context, `content-length: ${100 * MIB}`),
    waits: true,
  },
  {
    name: 'body of 3 MiB in chunks',
    bytes: (context) =>
      `${head(context, 'transfer-encoding: chunked')}${(3 * MIB).toString(16)}\r\n${' '.repeat(3 * MIB)}\r\n`,
    waits: true,
  },
  {
    name: 'JSON of 10,000 levels',
    bytes: (context) => `${head(context, 'content-length: 10000')}${'['.repeat(10_000)}`,
    waits: true,
  },
  { name: 'not HTTP', bytes: () => '\x16\x03\x01\x02\x00 hello\r\n\r\n', waits: true },
  {
    name: 'headers of 100 kB',
    bytes: (context) => head(context, `x-large: ${'x'.repeat(100_000)}`),
    waits: true,
  },
  { name: 'half a header', bytes: (context) => head(context).slice(0, 40), waits: false },
  { name: 'nothing', bytes: () => '', waits: false },
];

/** Sends bytes over a connection of its own. How the server ends it does not matter here. */
const attack: Action = async (context) => {
  const { name, bytes, waits } = pick(ATTACKS);
  const { hostname, port } = new URL(context.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.setTimeout(PATIENCE, () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  context.countRequest();
  socket.once('connect', () => {
    socket.write(bytes(context), () => {
      if (!waits) {
        socket.destroy();
      }
    });
  });
  socket.resume();
  await closed;
  context.outcomes.count(`hostile: ${name}`);
};

export const hostile: readonly (readonly [weight: number, action: Action])[] = [[3, attack]];
