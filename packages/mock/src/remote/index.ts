/**
 * Controls a served mock and its worlds from another process.
 *
 * @packageDocumentation
 */

export type { ListedWorld } from '../control/worlds.ts';
export type { ConnectOptions } from './connect-mock.ts';
export { connectMock } from './connect-mock.ts';
export type {
  Remote,
  RemoteEndpoint,
  RemoteFaults,
  RemoteListedEndpoint,
  RemoteMock,
  RemoteParts,
  RemotePlannedFault,
  RemoteSnapshot,
  RemoteWebhooks,
  RemoteWorld,
  RemoteWorldOptions,
  RemoteWorlds,
  SendableArguments,
} from './remote-mock.ts';
