/** The address that a server was asked to listen on. */
interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** The names of the port and the host in messages: `` `port` `` or `--port`. */
interface AddressNames {
  readonly port: string;
  readonly host: string;
}

/**
 * Describes why a server of node:http cannot listen, and what to do.
 *
 * @example
 * ```ts
 * listenProblem(error, { port: 80, host: '127.0.0.1' }, { port: '--port', host: '--host' });
 * // 'Port 80 is in use. Choose a different one with --port, or 0 for any free port.'
 * ```
 */
export const listenProblem = (error: unknown, { port, host }: ListenAddress, names: AddressNames): string => {
  // The code of a Node error, such as `EADDRINUSE`.
  const { code } = Object(error);
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Choose a different one with ${names.port}, or 0 for any free port.`;
    case 'EACCES':
      return `You don't have permission to listen on port ${port}. Choose 1024 or higher with ${names.port}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${JSON.stringify(host)} has no address. Check ${names.host}, or leave it out for 127.0.0.1.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${JSON.stringify(host)}. Check ${names.host}, or leave it out for 127.0.0.1.`;
    default:
      return `Cannot listen on ${host}:${port} (${code ?? error})`;
  }
};
