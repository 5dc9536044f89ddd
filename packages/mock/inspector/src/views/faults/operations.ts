import { CallError } from '../../api/call.ts';

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** The names of the API's operations, from the OpenAPI document of the mock. */
export const loadOperations = async (): Promise<readonly string[]> => {
  const response = await fetch(new URL('../openapi.json', document.baseURI));
  if (!response.ok) {
    throw new CallError(`The OpenAPI document of the API could not be loaded: ${response.status}.`);
  }
  const { paths } = (await response.json()) as ApiDocument;
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId }) => operationId ?? [])
    .sort();
};
