/** A command that no test runs as it stands. */
interface IdleCommand {
  /** How the command begins. */
  readonly start: string;
  readonly reason: string;
}

export const IDLE_COMMANDS: readonly IdleCommand[] = [
  { start: 'cd confab', reason: 'Continues the command before it, which has a placeholder.' },
  { start: 'git clone <this repository>', reason: 'Has a placeholder. CI starts with a fresh clone.' },
  {
    start: 'redis-server --appendonly yes &',
    reason: 'Would stay. The tests start Redis on a port of their own.',
  },
  { start: 'docker compose up', reason: 'Needs Docker. examples/compose/test reads the same file.' },
  {
    start: 'curl -d',
    reason: 'Calls the containers of examples/compose, whose test sends the same requests.',
  },
  { start: "curl -H 'x-admin-token", reason: 'Calls the containers of examples/compose, as above.' },
  {
    start: 'curl -X POST http://127.0.0.1:4010/__mock/worlds',
    reason:
      'Calls the server of the block before it; shell-commands.slow.test.ts sends it to one of its own.',
  },
  { start: 'python3 src/drive.py', reason: 'examples/remote-control/test runs it on a free port.' },
  { start: 'src/drive.sh', reason: 'examples/remote-control/test runs it on a free port.' },
  {
    start: 'CONFAB_BASE_URL=http://127.0.0.1:4010 CONFAB_API_KEY=test-key npm start',
    reason: "The program is the reader's own.",
  },
  { start: '{ read -r url;', reason: 'Runs with the two lines below it, in shell-commands.slow.test.ts.' },
  { start: 'NODE_EXTRA_CA_CERTS="$ca"', reason: 'Runs with the line above it.' },
  { start: 'kill $!', reason: 'Runs with the lines above it.' },
  { start: 'cloudflared tunnel', reason: 'Opens a tunnel to the internet.' },
  { start: 'ngrok http', reason: 'Opens a tunnel to the internet.' },
  { start: 'tailscale funnel', reason: 'Opens a tunnel to the internet.' },
];
