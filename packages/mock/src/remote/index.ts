/**
 * Controls a served mock and its worlds from another process.
 *
 * @packageDocumentation
 */

export type { ListedWorld } from '../control/worlds.ts';
export type { ConnectOptions } from './connect-mock.ts';
export { connectMock } from './connect-mock.ts';
export type { Remote, RemotePlannedFault, RemoteSnapshot, SendableArguments } from './remote.ts';
export type { RemoteMock } from './remote-mock.ts';
export type { RemoteFaults, RemoteParts } from './remote-parts.ts';
export type { RemoteEndpoint, RemoteListedEndpoint, RemoteWebhooks } from './remote-webhooks.ts';
export type { RemoteWorld, RemoteWorldOptions, RemoteWorlds } from './remote-worlds.ts';
