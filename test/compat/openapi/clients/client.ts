type Result<Data> = Promise<{
  readonly data?: { readonly data: Data };
  readonly error?: { readonly code: string };
}>;

interface Lead {
  readonly id: string;
  readonly phone: string | null;
}

/** The part of a generated client that `main.ts` uses. */
export interface Client {
  readonly create: (phone: string) => Result<Lead>;
  readonly list: () => Result<readonly Lead[]>;
  readonly get: (id: string) => Result<Lead>;
}

export type Connect = (baseUrl: string, apiKey: string) => Client;
