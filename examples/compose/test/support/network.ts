/**
 * Loaded before a program of the compose file: gives each service an address of loopback, as a network of containers
 * gives each one an address. `HOSTS` has their names and addresses, `OWN_ADDRESS` is that of this service.
 */
import dns from 'node:dns';
import { Server } from 'node:net';

const hosts = JSON.parse(process.env.HOSTS ?? '{}') as Record<string, string>;

const { lookup } = dns;
Object.assign(dns, {
  lookup: (name: string, ...rest: unknown[]) => Reflect.apply(lookup, dns, [hosts[name] ?? name, ...rest]),
});

const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const own = args.map((arg) => (arg === '0.0.0.0' ? process.env.OWN_ADDRESS : arg));
  return Reflect.apply(listen, this, own);
};
