import { buildDocument } from '@confab/client/openapi';
import type { Answer } from '../request/call.ts';

/** Where the description of the API is; a path of the mock's own, as services have one. */
export const OPENAPI_PATH = '/openapi.json';

/**
 * The OpenAPI document, with this server as the place to call.
 *
 * @param origin `http://127.0.0.1:4010`.
 */
export const openapiAnswer = (origin: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(buildDocument(origin)),
  ending: 'whole',
});
