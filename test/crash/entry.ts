/** What both programs under test are given. */
export interface EntryArgument {
  readonly redisUrl: string;
  readonly secret: string;
}

/** The argument that {@link startFleet} passed to this process. */
export const readArgument = <Argument extends EntryArgument>(): Argument =>
  JSON.parse(process.argv[2] ?? '') as Argument;

/** Tells the supervisor that this process is ready. It ends with the supervisor. */
export const reportReady = (report: number): void => {
  process.send?.(report);
  process.once('disconnect', () => process.exit(1));
  // A graceful end must not wait for the supervisor.
  process.channel?.unref();
};
