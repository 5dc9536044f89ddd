import { expect, test } from 'vitest';
import { listenProblem } from '../src/index.ts';

test.for([
  ['EACCES', "You don't have permission to listen on port 80. Choose 1024 or higher with `port`."],
  ['ENOTFOUND', 'The host name "mcok" has no address. Check `host`, or leave it out for 127.0.0.1.'],
  ['EADDRINUSE', 'Port 80 is in use. Choose a different one with `port`, or 0 for any free port.'],
  [
    'EADDRNOTAVAIL',
    'This machine does not have the address "mcok". Check `host`, or leave it out for 127.0.0.1.',
  ],
  ['EMFILE', 'Cannot listen on mcok:80 (EMFILE)'],
] as const)('listenProblem explains %s', ([code, problem]) => {
  const names = { port: '`port`', host: '`host`' };
  const error = Object.assign(new Error('listen'), { code });
  expect(listenProblem(error, { port: 80, host: 'mcok' }, names)).toBe(problem);
});
