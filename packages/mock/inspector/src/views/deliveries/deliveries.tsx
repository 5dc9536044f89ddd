import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Delivery, ShownEndpoint } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { Badge, counted, StatusBadge } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { loadLatest } from '../load-latest.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { EndpointForm, Endpoints } from './endpoints.tsx';
import { EventForm } from './event-form.tsx';

const TONES = { pending: 'calm', delivered: 'good', failed: 'bad' } as const;

const columns: readonly Column<Delivery>[] = [
  { name: 'Event', cell: ({ event }) => event, width: 'small' },
  { name: 'To', cell: ({ url }) => url, hiddenOn: 'phone' },
  { name: 'Attempts', cell: ({ attempts }) => attempts.length, width: 'tiny', hiddenOn: 'phone' },
  {
    name: 'Response',
    cell: ({ attempts }) => attempts.length > 0 && <StatusBadge status={attempts.at(-1)?.status} />,
    width: 'tiny',
    hiddenOn: 'phone',
  },
  {
    name: 'State',
    cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
    width: 'medium',
  },
];

const load = async () => {
  const [{ data, total }, { data: endpoints }] = await Promise.all([
    loadLatest<Delivery>('deliveries.list'),
    call<ShownEndpoint[]>('webhooks.list'),
  ]);
  return { deliveries: data, total, endpoints };
};

/** Makes the retries that wait for the virtual clock happen now. */
const flush = () =>
  command('webhooks.flush', { changes: ['deliveries', 'clock'], done: 'Every delivery has ended.' });

/** The events that the mock delivers, and the endpoints that receive them. */
export const Deliveries = () => {
  const live = useLive('deliveries', ['deliveries', 'endpoints', 'clock'], load);
  const [open, setOpen] = useState<string>();
  const [dialog, setDialog] = useState<'endpoint' | 'event'>();
  const close = () => setDialog(undefined);
  const delivery = live.value?.deliveries.find(({ id }) => id === open);
  return (
    <View
      title="Deliveries"
      intro="Events that the mock sends to the app's webhook endpoints."
      tools={
        <>
          <button type="button" onClick={flush}>
            Finish all
          </button>
          <button type="button" onClick={() => setDialog('event')}>
            Send an event
          </button>
          <button type="button" class="primary" onClick={() => setDialog('endpoint')}>
            Add an endpoint
          </button>
        </>
      }
    >
      <Loaded live={live}>
        {({ deliveries, total, endpoints }) => (
          <>
            <Endpoints endpoints={endpoints} />
            {deliveries.length === 0 ? (
              <Empty title="No deliveries yet">
                {endpoints.length === 0
                  ? 'Add the endpoint of your receiver, then write as a lead under “Conversations”.'
                  : 'Write as a lead under “Conversations”, or send an event.'}
              </Empty>
            ) : (
              <>
                <Table
                  caption="Deliveries, newest first"
                  columns={columns}
                  rows={deliveries}
                  keyOf={({ id }) => id}
                  verb="Open"
                  onOpen={({ id }) => setOpen(id)}
                />
                <p class="sub">
                  {deliveries.length} of {counted(total, 'delivery', 'deliveries')}
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
      {delivery !== undefined && (
        <DeliveryPanel
          delivery={delivery}
          endpoint={live.value?.endpoints.find(({ id }) => id === delivery.endpointId)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {dialog === 'endpoint' && <EndpointForm onClose={close} />}
      {dialog === 'event' && <EventForm onClose={close} />}
    </View>
  );
};
