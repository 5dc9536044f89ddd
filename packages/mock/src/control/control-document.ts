import document from './openapi.json' with { type: 'json' };
import { CONTROL_PREFIX } from './routes.ts';

/** A control endpoint, as the document describes it. */
export interface Endpoint {
  readonly method: string;
  /** Its path below `/__mock/`: `rows/leads/{id}`. */
  readonly path: string;
  /** `leads.get`. */
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly type?: string };
  }[];
  readonly requestBody?: object;
}

const paths: Readonly<Record<string, Readonly<Record<string, Omit<Endpoint, 'method' | 'path'>>>>> =
  document.paths;

/** All control endpoints. */
export const ENDPOINTS: readonly Endpoint[] = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path: path.slice(CONTROL_PREFIX.length),
  })),
);

/** The OpenAPI document of the control endpoints, which names this server. */
export const controlDocument = (server: string): object => ({
  ...document,
  servers: [{ url: server, description: 'The mock that this document comes from.' }],
});
