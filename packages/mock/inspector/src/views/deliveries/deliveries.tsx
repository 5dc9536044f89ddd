import { call } from '../../api/call.ts';
import type { Delivery } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { Button } from '../../ui/buttons.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { Badge, Middle, Time } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { loadConversations } from '../conversations/load.ts';
import { loadLatest } from '../load-latest.ts';
import { DeliveryPanel, outcomeOf } from './delivery-panel.tsx';
import { EndpointForm, Endpoints } from './endpoints.tsx';
import { EventForm } from './event-form.tsx';

const TONES = { pending: 'calm', delivered: 'good', failed: 'bad' } as const;

/** A delivery with the lead and the text in its data, if it has them. */
type Named = Delivery & { readonly lead: string; readonly text: string };

const columns: readonly Column<Named>[] = [
  {
    name: 'Event',
    cell: ({ event, lead, text }) => (
      <>
        {event}
        <span class="sub">{[lead, text].filter((part) => part !== '').join(': ')}</span>
      </>
    ),
  },
  { name: 'To', cell: ({ url }) => <Middle text={url} />, width: 16, hiddenOn: 'no-tablet' },
  {
    name: 'Time',
    cell: ({ attempts: [first] }) => first && <Time at={first.at} short />,
    width: 6.5,
    hiddenOn: 'no-phone',
  },
  { name: 'Attempts', cell: ({ attempts }) => attempts.length, width: 6.5, hiddenOn: 'no-phone' },
  {
    name: 'State',
    cell: ({ state, attempts }) => (
      <>
        <Badge tone={TONES[state]}>{state}</Badge>
        <span class="sub">{outcomeOf(attempts.at(-1))}</span>
      </>
    ),
    width: 10.5,
  },
];

const load = async () => {
  const [{ data, total }, { data: endpoints }, conversations] = await Promise.all([
    loadLatest((query) => call('deliveries.list', { query })),
    call('webhooks.list'),
    loadConversations(),
  ]);
  const deliveries = data.map((delivery): Named => {
    const { conversationId, body } = Object(delivery.data) as Readonly<Record<string, unknown>>;
    const lead = conversations.find(({ id }) => id === conversationId)?.name ?? '';
    return { ...delivery, lead, text: typeof body === 'string' ? body : '' };
  });
  return { deliveries, total, endpoints };
};

/** Ends all deliveries now: their retries do not wait for the virtual clock. */
const flush = () => command('webhooks.flush', { done: 'Every delivery has ended.' });

/** The events that the mock delivers, and the endpoints that receive them. */
export const Deliveries = () => {
  const live = useLive(['deliveries', 'clock'], load);
  const { deliveries = [], endpoints = [] } = live.value ?? {};
  return (
    <View
      title="Deliveries"
      intro="Events that the mock sends to the app's webhook endpoints."
      tools={
        <>
          <Button label="Flush retries" onClick={flush} />
          <DialogButton label="Send an event" kind="plain" dialog={<EventForm />} />
          <DialogButton label="Add an endpoint" dialog={<EndpointForm endpoints={endpoints} />} />
        </>
      }
    >
      <Loaded live={live}>
        {({ total }) => (
          <>
            <Endpoints endpoints={endpoints} />
            {deliveries.length === 0 ? (
              <Empty title="No deliveries yet">
                {endpoints.length === 0
                  ? 'Add the endpoint of your receiver, then write as a lead under “Conversations”.'
                  : 'Write as a lead under “Conversations”, or send an event.'}
              </Empty>
            ) : (
              <Table
                columns={columns}
                rows={deliveries}
                verb="Open"
                dialog={(delivery) => <DeliveryPanel delivery={delivery} />}
                total={total}
                noun="delivery"
              />
            )}
          </>
        )}
      </Loaded>
    </View>
  );
};
