import type { ControlEndpoint } from './operations.ts';

/** Reads the document, which is not needed before somebody asks for it. */
const readDocument = async () => (await import('./openapi.json', { with: { type: 'json' } })).default;

/** The OpenAPI document of the control endpoints, which names this server. */
export const controlDocument = async (server: string): Promise<object> => ({
  ...(await readDocument()),
  servers: [{ url: server, description: 'The mock that this document comes from.' }],
});

/** The control endpoints, with what each one does in a sentence. */
export const describedEndpoints = async (): Promise<readonly ControlEndpoint[]> => {
  const paths: Record<string, Record<string, { readonly summary: string }>> = (await readDocument()).paths;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary }]) => ({
      method: method.toUpperCase(),
      path,
      description: summary,
    })),
  );
};
