import { useContext } from 'preact/hooks';
import type { Delivery } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { Button } from '../../ui/buttons.tsx';
import { Closing, Dialog } from '../../ui/dialog.tsx';
import { Details, JsonView, StatusBadge, Time, valueIn } from '../../ui/text.tsx';

type Attempt = Delivery['attempts'][number];

/** The system codes of connections that fail, in words. */
const FAILURES = [
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection broken'],
  ['ENOTFOUND', 'host not found'],
  ['Timeout', 'no response in time'],
] as const;

/** The outcome of an attempt: `responded with 503`, or why there was no response. */
export const outcomeOf = (attempt: Attempt | undefined): string => {
  if (attempt === undefined) {
    return 'no attempt yet';
  }
  const { status, error = 'no response' } = attempt;
  const [, words = error] = FAILURES.find(([code]) => error.includes(code)) ?? [];
  return status === undefined ? words : `responded with ${status}`;
};

const AttemptCard = ({ attempt, nth }: { readonly attempt: Attempt; readonly nth: number }) => (
  <li class="card">
    <div class="card-head">
      <strong>Attempt {nth}</strong>
      <StatusBadge status={attempt.status} />
    </div>
    <Details
      rows={[
        ['Time', <Time key="time" at={attempt.at} />],
        ['Duration', `${Math.round(attempt.durationMs)} ms`],
        ['Response', outcomeOf(attempt)],
        ['Reason', attempt.error ?? attempt.refusal],
        ...Object.entries(attempt.signature).map(
          ([name, value]) => [name, <code key={name}>{value}</code>] as const,
        ),
      ]}
    />
  </li>
);

/** The details of a delivery: its attempts, its request, and a button that redelivers it. */
export const DeliveryPanel = ({ delivery }: { readonly delivery: Delivery }) => {
  const close = useContext(Closing);
  const { id, event, url, messageId, state, attempts, body } = delivery;
  const redeliver = async () => {
    const done = `${event} was delivered again.`;
    if (await command('deliveries.redeliver', { params: { id }, done })) {
      close();
    }
  };
  return (
    <Dialog title={event}>
      <Details
        rows={[
          ['State', state],
          ['Event id', <code key="id">{messageId}</code>],
        ]}
      />
      <Button label="Redeliver" kind="primary" onClick={redeliver} />
      <h3>Attempts</h3>
      <ol class="cards">
        {attempts.map((each, index) => (
          // Attempts are only ever added at the end.
          <AttemptCard key={index} attempt={each} nth={index + 1} />
        ))}
      </ol>
      {attempts.length === 0 && <p>None yet.</p>}
      <h3>Request</h3>
      <code class="break">POST {url}</code>
      <JsonView value={valueIn(body)} label="Body" />
    </Dialog>
  );
};
