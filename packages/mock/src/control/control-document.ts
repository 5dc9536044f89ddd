import document from './openapi.json' with { type: 'json' };
import { CONTROL_PREFIX } from './routes.ts';

/** A query parameter, as the document has it. */
export interface QueryParameter {
  readonly name: string;
  readonly schema: { readonly type?: string };
}

/** An operation, as the document has it. */
interface DescribedOperation {
  readonly summary: string;
  readonly parameters: readonly (QueryParameter & { readonly in: 'path' | 'query' })[];
  readonly requestBody?: object;
}

const paths = document.paths as unknown as Readonly<
  Record<string, Readonly<Record<string, DescribedOperation>>>
>;

/** What a request to a control endpoint may contain. */
export const describedInput = (method: string, path: string) => {
  const { parameters = [], requestBody } = paths[CONTROL_PREFIX + path]?.[method.toLowerCase()] ?? {};
  return { parameters: parameters.filter((each) => each.in === 'query'), hasBody: requestBody !== undefined };
};

/** All control endpoints, with what each of them does. */
export const listEndpoints = () =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary }]) => ({
      method: method.toUpperCase(),
      path,
      description: summary,
    })),
  );

/** The OpenAPI document of the control endpoints, which names this server. */
export const controlDocument = (server: string): object => ({
  ...document,
  servers: [{ url: server, description: 'The mock that this document comes from.' }],
});
