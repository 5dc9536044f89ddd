import { call } from '../../api/call.ts';
import type { ShownEndpoint } from '../../api/types.ts';
import { attempt } from '../../live/notices.ts';
import { changed } from '../../live/topics.ts';
import { signatureText } from './signature-text.ts';

const remove = ({ id }: ShownEndpoint) =>
  attempt(async () => {
    await call('webhooks.remove', { params: { id } });
    changed('endpoints');
    return 'The endpoint is removed.';
  });

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
