import { namesOf } from '@confab/internal';
import type { Operation, OperationId } from '../contract/index.ts';
import { operations } from '../contract/index.ts';
import { ConfigurationError } from '../errors/index.ts';
import { checkNames } from '../options/check-names.ts';
import { API_INFO, LICENSE_ID } from './api-info.ts';
import { namedSchemas } from './component-schemas.ts';
import type { ExampleRows } from './examples.ts';
import { examplesOf } from './examples.ts';
import type { Json } from './json.ts';
import { tagDescriptions } from './operation-descriptions.ts';
import { operationObject } from './operation-object.ts';
import { collectParameters } from './parameters.ts';
import { errorResponses, headers } from './responses.ts';
import { webhooksOf } from './webhooks.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  /** The version of OpenAPI: `3.1.0`. */
  readonly openapi: string;
  /** The title, version and description of the API. */
  readonly info: Readonly<Record<string, unknown>> & {
    /** The title of the API. */
    readonly title: string;
    /** The version of the API. */
    readonly version: string;
  };
  /** One tag per resource. */
  readonly tags: readonly object[];
  /** The base URL of the service. */
  readonly servers: readonly object[];
  /** The operations, by path and then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** The events that the service delivers, by name and then by method. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Schemas, parameters, responses and security schemes, by kind and then by name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The options of {@link buildDocument}. */
export interface DocumentOptions {
  /**
   * The base URL of the service.
   * @default a placeholder
   */
  readonly server?: string | undefined;
  /**
   * Rows of that service, to show in examples: with them, the examples are requests that it accepts.
   * @default made-up rows
   */
  readonly rows?: Partial<ExampleRows> | undefined;
  /**
   * Whether operations refer to the parameters that they share, or repeat them, for tools that follow no reference
   * there.
   * @default 'components'
   */
  readonly parameters?: 'components' | 'inline' | undefined;
}

const OPTION_NAMES = namesOf<DocumentOptions>({ server: true, rows: true, parameters: true });
const ROW_NAMES = namesOf<ExampleRows>({
  agent: true,
  lead: true,
  conversation: true,
  message: true,
  newPhone: true,
});

const all: (Operation & { readonly id: OperationId })[] = Object.values(operations);

const INFO = {
  ...API_INFO,
  description: [
    'Conversations, leads, AI agents and analytics of a multi-channel conversation platform.',
    'Every request needs an API key, in the header `X-API-Key` or as a bearer token, and HTTPS. A key has scopes, and a rate limit over a sliding minute; a 429 says in `Retry-After` how long to wait.',
    'This document is generated from the contract of @confab/client. The API does not publish everything: the scope of each operation, the codes of 400, 404, 409 and 413, and the name of the signature header are assumptions.',
  ].join('\n\n'),
  license: { name: LICENSE_ID, identifier: LICENSE_ID },
};

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'The API key, such as `confab_live_…`, from Settings, API Keys in the dashboard of the account.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API key as a bearer token.',
  },
};

const pathsOf = (objectFor: (operation: (typeof all)[number]) => Json): OpenApiDocument['paths'] => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of all) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: objectFor(operation) };
  }
  return paths;
};

/**
 * Makes the OpenAPI 3.1 document of the API from the contract, and nothing else. `@confab/client/openapi.json` is this,
 * written to a file.
 *
 * @throws {@link @confab/client!ConfigurationError | ConfigurationError} When an option is invalid, or has an unknown name.
 * @example
 * ```ts
 * const document = buildDocument({ server: 'https://api.example.com' });
 * ```
 */
export const buildDocument = (options: DocumentOptions = {}): OpenApiDocument => {
  checkNames('option of buildDocument', options, OPTION_NAMES);
  const { server, rows = {}, parameters: place = 'components' } = options;
  checkNames('field of rows', rows, ROW_NAMES);
  if (place !== 'components' && place !== 'inline') {
    throw new ConfigurationError(
      `\`parameters\` must be 'components' or 'inline', got ${JSON.stringify(place)}.`,
    );
  }
  const isInline = place === 'inline';
  const examples = examplesOf(rows);
  const schemas = namedSchemas(all, examples);
  const parameters = collectParameters(all, schemas, examples);
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [
      server === undefined
        ? {
            url: 'https://api.confab.test',
            description: 'A placeholder: put the origin of your service here. HTTPS only.',
          }
        : { url: server, description: 'The service that this document comes from.' },
    ],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: pathsOf((operation) =>
      operationObject(
        operation,
        isInline ? parameters.inlineOf(operation) : parameters.of(operation),
        examples,
      ),
    ),
    webhooks: webhooksOf(examples),
    components: {
      // A query is described by its parameters.
      schemas: Object.fromEntries([...schemas].filter(([name]) => !name.endsWith('Query'))),
      ...(isInline ? {} : { parameters: parameters.shared }),
      headers,
      responses: errorResponses,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
};
