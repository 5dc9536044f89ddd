/// <reference lib="esnext.disposable" preserve="true" />

/** The options of {@link Mock.inspect}. */
export interface InspectOptions {
  /**
   * The port to listen on; 0 picks a free one.
   * @default 0
   */
  readonly port?: number | undefined;
}

/** A running inspector. */
export interface Inspection {
  /** The address of the inspector, for a browser on this machine: `http://127.0.0.1:4010/__mock/`. */
  readonly url: string;
  /** Stops serving it. The mock stays open, and its deliveries go on. Closing the inspector again has no effect. */
  close(): Promise<void>;
  /** Calls {@link Inspection.close}, for `await using inspector = await mock.inspect()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
