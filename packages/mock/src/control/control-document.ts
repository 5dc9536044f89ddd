import type { ControlEndpoint } from './endpoint-types.ts';

/** Loaded late: few callers ask for the document. */
const readDocument = async () => (await import('./openapi.json', { with: { type: 'json' } })).default;

/** Builds the OpenAPI document of the control endpoints with the URL of this server. */
export const controlDocument = async (server: string): Promise<object> => ({
  ...(await readDocument()),
  servers: [{ url: server, description: 'The mock that this document comes from.' }],
});

/** Lists the control endpoints, each with a sentence that describes it. */
export const describeEndpoints = async (): Promise<readonly ControlEndpoint[]> => {
  const paths: Record<string, Record<string, { readonly summary: string }>> = (await readDocument()).paths;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary }]) => ({
      method: method.toUpperCase(),
      path,
      description: summary,
    })),
  );
};
