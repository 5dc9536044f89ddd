import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';

/** Starts a fake of the Redis protocol with the few commands that the store needs, to test it without a Redis. */
export const startFakeRedis = async (now: () => number) => {
  const entries = new Map<string, { value: string; endsAt: number }>();
  const get = (key = '') => {
    const entry = entries.get(key);
    return entry !== undefined && entry.endsAt > now() ? entry.value : undefined;
  };
  const bulk = (value: string | undefined) =>
    value === undefined ? '$-1\r\n' : `$${Buffer.byteLength(value)}\r\n${value}\r\n`;

  const execute = ([name = '', ...args]: string[]): string => {
    switch (name.toUpperCase()) {
      case 'SET': {
        const [key = '', value = '', ...flags] = args;
        if (flags.includes('NX') && get(key) !== undefined) {
          return bulk(undefined);
        }
        const milliseconds = Number(flags[flags.indexOf('PX') + 1]);
        entries.set(key, { value, endsAt: now() + milliseconds });
        return '+OK\r\n';
      }
      case 'GET':
        return bulk(get(args[0]));
      case 'EVAL': {
        const [, , key = '', expected] = args;
        const matches = get(key) === expected;
        if (matches) {
          entries.delete(key);
        }
        return `:${matches ? 1 : 0}\r\n`;
      }
      case 'CLIENT':
      case 'HELLO':
        return '+OK\r\n';
      default:
        return `-ERR unknown command ${name}\r\n`;
    }
  };

  /** Splits a complete command from the text, such as `*2\r\n$3\r\nGET\r\n$1\r\na\r\n`. */
  const takeCommand = (text: string): [args: string[], rest: string] | undefined => {
    const parts = text.split('\r\n');
    const count = Number(parts[0]?.slice(1));
    if (parts.length < 2 * count + 2) {
      return undefined;
    }
    const args = Array.from({ length: count }, (_, index) => parts[2 * index + 2] ?? '');
    return [args, parts.slice(2 * count + 1).join('\r\n')];
  };

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      pending += chunk;
      for (let command = takeCommand(pending); command !== undefined; command = takeCommand(pending)) {
        pending = command[1];
        socket.write(execute(command[0]));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The system did not assign a port.');
  }
  return {
    url: `redis://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await once(server, 'close');
    },
  };
};
