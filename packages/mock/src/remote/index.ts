/**
 * Controls a mock server and its worlds from a different process.
 *
 * @packageDocumentation
 */

export type {
  ListedWorld,
  RemoteEndpoint,
  RemoteListedEndpoint,
  RemotePlannedFault,
  RemoteSnapshot,
  RemoteWorldOptions,
} from '../control/remote-types.ts';
export type { ConnectOptions } from './connect-mock.ts';
export { connectMock } from './connect-mock.ts';
export type {
  Remote,
  RemoteCollections,
  RemoteFaults,
  RemoteMock,
  RemoteParts,
  RemoteWebhooks,
  RemoteWorld,
  RemoteWorlds,
  SendableArguments,
} from './remote-mock.ts';
