interface InstalledClock {
  tickAsync(ms: number): Promise<number>;
  uninstall(): void;
}

/** The fake timers of Jest 29. */
declare module 'fake-timers-10' {
  export const install: (config: { readonly now: number; readonly toFake: string[] }) => InstalledClock;
}

/** The fake timers of sinon 19. */
declare module 'fake-timers-13' {
  export const install: (config: { readonly now: number; readonly toFake: string[] }) => InstalledClock;
}
