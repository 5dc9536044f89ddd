import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';

type Definition = ConstructorParameters<typeof OpenAPIBackend>[0]['definition'];

/**
 * Creates a third-party validator for an OpenAPI document. `quick` skips its check of the document, which supports only
 * OpenAPI 3.0; another test checks that ours is valid 3.1.
 */
export const createValidator = async (document: unknown): Promise<OpenAPIBackend> => {
  const validator = new OpenAPIBackend({
    definition: document as Definition,
    quick: true,
    // Checks the formats of dates and ids too.
    customizeAjv: (ajv) => addFormats.default(ajv),
  });
  await validator.init();
  return validator;
};

/**
 * From now on, checks each response of a control endpoint against the document of the server.
 *
 * @returns The ids of the operations that were called, and the differences from the document.
 */
export const checkDocumented = async (baseUrl: string) => {
  const { fetch } = globalThis;
  const document = await createValidator(await (await fetch(`${baseUrl}/__mock/openapi.json`)).json());
  const called = new Set<string>();
  const problems: unknown[] = [];
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    // The endpoints of a world are the same.
    const path = new URL(String(input)).pathname.replace(/^.*(?=\/__mock\/)/, '');
    const operation = document.matchOperation({ method: init?.method ?? 'GET', path, headers: {} });
    if (operation?.operationId !== undefined && /json/.test(response.headers.get('content-type') ?? '')) {
      const body: unknown = await response.clone().json();
      const { errors } = document.validateResponse(body, operation, response.status);
      called.add(operation.operationId);
      if (errors != null && errors.length > 0) {
        problems.push([operation.operationId, response.status, errors, body]);
      }
    }
    return response;
  };
  const end = (): void => {
    globalThis.fetch = fetch;
  };
  return { called, problems, end };
};
