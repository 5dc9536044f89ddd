/**
 * Runs before a program of the compose file, and gives each service a loopback address, as a network of containers would
 * give it an address. `HOSTS` has the names and addresses of all services, `OWN_ADDRESS` is that of this one.
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
