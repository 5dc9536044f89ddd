/** What a program does through a generated client: a create, a list, a get and an error. */
export interface Outcome {
  readonly created: { readonly id: string; readonly status: string };
  readonly listed: readonly { readonly id: string }[];
  readonly got: { readonly id: string; readonly phone: string | null };
  /** The error response for an id that no lead has. */
  readonly missing: { readonly status: number; readonly code: string };
}

export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of the lead to create. */
  readonly phone: string;
  /** An id that no lead has. */
  readonly missingId: string;
}

export type ClientProgram = (target: Target) => Promise<Outcome>;
