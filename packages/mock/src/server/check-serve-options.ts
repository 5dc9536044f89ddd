import { namesOf, typeName } from '@confab/internal';
import { checkNames, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { tokenProblem } from './admin.ts';
import { checkCors } from './check-cors.ts';
import type { ServeOptions, TlsOptions } from './serve-options.ts';

const OPTIONS = namesOf<ServeOptions>({
  port: true,
  host: true,
  tls: true,
  cors: true,
  allowHttp: true,
  adminToken: true,
  worldTtl: true,
  maxWorldBytes: true,
  onRequest: true,
});

const TLS = namesOf<TlsOptions>({ cert: true, key: true });

const checkTls = (tls: TlsOptions): void => {
  checkNames('field of tls', tls, TLS);
  for (const name of TLS) {
    const value: unknown = Reflect.get(tls, name);
    if (!(typeof value === 'string' || value instanceof Uint8Array)) {
      throw invalidArgument(`\`tls.${name}\` must be the PEM text of a file, got ${typeName(value)}`);
    }
    // Whoever passes a path gets an error from OpenSSL that does not say so.
    if (typeof value === 'string' && !value.includes('-----BEGIN')) {
      throw invalidArgument(`\`tls.${name}\` must be the PEM text of a file, not its path or other text`);
    }
  }
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void => {
  checkNames('option of serve()', options, OPTIONS);
  const {
    port = 0,
    host = '127.0.0.1',
    tls,
    cors,
    allowHttp,
    adminToken,
    worldTtl,
    maxWorldBytes,
    onRequest,
  } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalidArgument(`\`port\` must be a whole number from 0 to 65535, got ${shown(port)}`);
  }
  if (typeof host !== 'string') {
    throw invalidArgument(`\`host\` must be a host name or an IP address, got ${shown(host)}`);
  }
  // node:http would listen on every address.
  if (host.trim() === '') {
    throw invalidArgument(
      '`host` must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.',
    );
  }
  if (tls !== undefined) {
    checkTls(tls);
  }
  if (allowHttp !== undefined && typeof allowHttp !== 'boolean') {
    throw invalidArgument(`\`allowHttp\` must be true or false, got ${typeName(allowHttp)}`);
  }
  if (cors !== undefined) {
    checkCors(cors);
  }
  if (adminToken !== undefined) {
    const problem =
      typeof adminToken === 'string'
        ? tokenProblem(adminToken)
        : `must be a string, got ${typeName(adminToken)}`;
    if (problem !== undefined) {
      throw invalidArgument(`\`adminToken\` ${problem}`);
    }
  }
  if (worldTtl !== undefined && !(typeof worldTtl === 'number' && worldTtl > 0)) {
    throw invalidArgument(`\`worldTtl\` must be milliseconds (more than 0), got ${shown(worldTtl)}`);
  }
  if (maxWorldBytes !== undefined && !(typeof maxWorldBytes === 'number' && maxWorldBytes > 0)) {
    throw invalidArgument(`\`maxWorldBytes\` must be bytes (more than 0), got ${shown(maxWorldBytes)}`);
  }
  if (onRequest !== undefined && typeof onRequest !== 'function') {
    throw invalidArgument(`\`onRequest\` must be a function, got ${typeName(onRequest)}`);
  }
};
