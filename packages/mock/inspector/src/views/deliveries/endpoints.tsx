import type { ShownEndpoint } from '../../api/types.ts';
import { command } from '../../live/command.ts';
import { signatureText } from './signature-text.ts';

const remove = ({ id }: ShownEndpoint) =>
  command('webhooks.remove', { params: { id }, changes: ['endpoints'], done: 'The endpoint is removed.' });

/** The endpoints that events are delivered to. */
export const Endpoints = ({ endpoints }: { readonly endpoints: readonly ShownEndpoint[] }) => (
  <ul class="cards" aria-label="Endpoints">
    {endpoints.map((endpoint) => (
      <li key={endpoint.id} class="card row">
        <div>
          <strong class="break">{endpoint.url}</strong>
          <span class="sub">{signatureText(endpoint.signature)}</span>
        </div>
        <button
          type="button"
          aria-label={`Remove the endpoint ${endpoint.url}`}
          onClick={() => remove(endpoint)}
        >
          Remove
        </button>
      </li>
    ))}
  </ul>
);
