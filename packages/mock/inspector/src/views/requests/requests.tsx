import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { Button } from '../../ui/buttons.tsx';
import { Field } from '../../ui/fields.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { Middle, StatusBadge, Time } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { faultText } from '../faults/fault-text.ts';
import { loadLatest } from '../load-latest.ts';
import { durationText, RequestPanel } from './request-panel.tsx';

/** The start of every path, which is left out of the table. The opened request shows it. */
const API = /^\/api\/v2\/public\//;

const columns: readonly Column<Numbered>[] = [
  {
    name: 'Request',
    cell: ({ method, path, search }) => (
      <>
        <span class="method">{method}</span>{' '}
        <Middle text={path.replace(API, '/') + (search === '' ? '' : `?${search}`)} />
      </>
    ),
  },
  { name: 'Operation', cell: ({ operation }) => operation ?? '–', width: 16, hiddenOn: 'no-phone' },
  { name: 'Fault', cell: ({ fault }) => (fault ? faultText(fault) : ''), width: 12, hiddenOn: 'no-tablet' },
  { name: 'Duration', cell: durationText, width: 6.5, hiddenOn: 'no-tablet' },
  { name: 'Time', cell: ({ at }) => <Time at={at} short />, width: 6.5, hiddenOn: 'no-phone' },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: 8 },
];

const OUTCOMES = [
  ['', 'All'],
  ['2', 'Success'],
  ['4', 'Refused (4xx)'],
  ['5', 'Failed (5xx)'],
  ['none', 'No response'],
  ['fault', 'With a fault'],
] as const;

const hasOutcome = ({ status, fault }: LoggedRequest, outcome: string): boolean =>
  outcome === 'fault' ? fault !== undefined : String(status ?? 'none').startsWith(outcome);

const contains = ({ operation, method, path, search, body }: LoggedRequest, text: string): boolean =>
  JSON.stringify([operation, method, path, search, body]).toLowerCase().includes(text.toLowerCase());

/** Loads the latest requests, newest first, each with an id that stays the same when more arrive. */
const load = async () => {
  const { data, total } = await loadLatest((query) => call('requests.list', { query }));
  return { total, requests: data.map((request, index) => ({ ...request, id: String(total - index) })) };
};

const clear = () => command('requests.clear', { done: 'Log cleared.' });

type Numbered = LoggedRequest & { readonly id: string };

/** The requests to the API. */
export const Requests = () => {
  const live = useLive(['requests'], load);
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState('');
  return (
    <View
      title="Requests"
      intro="The requests of the app to the API and their responses, newest first."
      tools={<Button label="Clear the log" onClick={clear} />}
    >
      <search class="filters">
        <Field label="Operation, path or body" name="text" type="search" onInput={setText} />
        <Field type="choice" label="Outcome" name="outcome" options={OUTCOMES} onInput={setOutcome} />
      </search>
      <Loaded live={live}>
        {({ requests, total }) => {
          const shown = requests.filter((request) => hasOutcome(request, outcome) && contains(request, text));
          if (total === 0) {
            return (
              <Empty title="No requests yet">
                Point the app at this server's base URL, and its requests appear here as they come.
              </Empty>
            );
          }
          return shown.length === 0 ? (
            <Empty title="No request matches the filter">Change the filter, or choose “All”.</Empty>
          ) : (
            <Table
              columns={columns}
              rows={shown}
              verb="Open"
              dialog={(request) => <RequestPanel request={request} />}
              total={total}
              noun="request"
            />
          );
        }}
      </Loaded>
    </View>
  );
};
