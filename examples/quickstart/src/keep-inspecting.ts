import { once } from 'node:events';

/** A service that can be looked into. */
interface Inspected {
  /** Starts the inspector, and resolves to its address. */
  inspect(): Promise<string>;
}

/** Prints the address of the inspector, and waits until the user stops the program. */
export const keepInspecting = async (service: Inspected): Promise<void> => {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  console.log(
    `\nThe mock is still running. Its inspector shows the rows, the requests and the deliveries of this tour:`,
  );
  console.log(`\n  ${await service.inspect()}\n\nPress Ctrl+C to stop.`);
  await stopped;
};
