import type { Delivery, ShownEndpoint } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { Dialog } from '../../ui/form.tsx';
import { Details, JsonView, StatusBadge, Time } from '../../ui/text.tsx';
import { signatureText } from './endpoints.tsx';

interface DeliveryPanelProps {
  readonly delivery: Delivery;
  readonly endpoint: ShownEndpoint | undefined;
  readonly onClose: () => void;
}

const Attempt = ({
  attempt: { at, status, error, signature },
}: {
  readonly attempt: Delivery['attempts'][number];
}) => (
  <li class="card">
    <div class="card-head">
      <Time at={at} />
      <StatusBadge status={status} />
    </div>
    {error !== undefined && <p class="break">{error}</p>}
    <Details
      rows={Object.entries(signature).map(
        ([name, value]) => [name, <code key={name}>{value}</code>] as const,
      )}
    />
  </li>
);

/** A delivery with its attempts, and a button that delivers it once more. */
export const DeliveryPanel = ({ delivery, endpoint, onClose }: DeliveryPanelProps) => {
  const { id, event, url, messageId, state, attempts, body } = delivery;
  const redeliver = async () => {
    const done = `${event} is delivered once more.`;
    if (await command('deliveries.redeliver', { params: { id }, changes: ['deliveries'], done })) {
      onClose();
    }
  };
  return (
    <Dialog title={event} onClose={onClose}>
      <Details
        rows={[
          ['To', <code key="url">{url}</code>],
          ['State', state],
          ['Event id', <code key="id">{messageId}</code>],
          [
            'Signature',
            endpoint === undefined ? 'The endpoint was removed.' : signatureText(endpoint.signature),
          ],
        ]}
      />
      <button type="button" class="primary" onClick={redeliver}>
        Deliver once more
      </button>
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <ol class="cards">
          {attempts.map((each, at) => (
            // Attempts are only ever added at the end.
            <Attempt key={at} attempt={each} />
          ))}
        </ol>
      )}
      <h3>Body</h3>
      <JsonView value={body} label="Body" />
    </Dialog>
  );
};
