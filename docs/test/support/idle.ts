/** The commands and the lines of blocks that no test runs: how each begins, and why it does not run. */
export const IDLE: readonly (readonly [start: string, reason: string])[] = [
  [
    "import { defineConfig } from 'cypress';",
    'Cypress downloads a browser of its own. blocks.test.ts runs the tasks that this registers.',
  ],
  ["  cy.task('reset');", 'Cypress downloads a browser of its own. blocks.test.ts calls the same tasks.'],
  ['cd confab', 'Continues the command before it, which has a placeholder.'],
  ['git clone <this repository>', 'Has a placeholder. CI starts with a fresh clone.'],
  ['redis-server', 'Does not end. The tests start Redis on a port of their own.'],
  ['docker compose up', 'Needs Docker. examples/compose/test reads the same file.'],
  ['curl -d', 'Calls the containers of examples/compose, whose test sends the same requests.'],
  ["curl -H 'x-admin-token", 'Calls the containers of examples/compose, as above.'],
  ['python3 src/drive.py', 'examples/remote-control/test runs it on a free port.'],
  ['src/drive.sh', 'examples/remote-control/test runs it on a free port.'],
  [
    'CONFAB_BASE_URL=http://127.0.0.1:4010 CONFAB_API_KEY=test-key npm start',
    "The program is the reader's own.",
  ],
  ['{ read -r url;', 'Runs with the two lines below it, in shell.slow.test.ts.'],
  ['NODE_EXTRA_CA_CERTS="$ca"', 'Runs with the line above it.'],
  ['kill $!', 'Runs with the lines above it.'],
  ['cloudflared tunnel', 'Opens a tunnel to the internet.'],
  ['ngrok http', 'Opens a tunnel to the internet.'],
  ['tailscale funnel', 'Opens a tunnel to the internet.'],
];

/** Whether a text has a line that the list names. */
export const isIdle = (text: string): boolean =>
  text.split('\n').some((line) => IDLE.some(([start]) => line.startsWith(start)));
