import { useState } from 'preact/hooks';
import type { LoggedRequest } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { counted, StatusBadge, Time } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { faultText } from '../faults/presets.ts';
import { loadLatest } from '../load-latest.ts';
import { durationText, RequestPanel } from './request-panel.tsx';

/** All operations have it in common; the opened request shows it. */
const API = /^\/api\/v2\/public\//;

const columns: readonly Column<LoggedRequest>[] = [
  {
    name: 'Request',
    cell: ({ method, path, search }) => (
      <>
        <span class="method">{method}</span> {path.replace(API, '/')}
        {search === '' ? '' : `?${search}`}
      </>
    ),
  },
  { name: 'Operation', cell: ({ operation }) => operation ?? '–', width: 'large', hiddenOn: 'phone' },
  { name: 'Fault', cell: ({ fault }) => (fault ? faultText(fault) : ''), width: 'small', hiddenOn: 'tablet' },
  { name: 'Took', cell: durationText, width: 'tiny', hiddenOn: 'phone' },
  { name: 'Time', cell: ({ at }) => <Time at={at} short />, width: 'tiny', hiddenOn: 'phone' },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: 'tiny' },
];

/** Which requests are shown. */
interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly outcome: string;
}

const NO_FILTER: Filter = { text: '', operation: '', outcome: '' };

const OUTCOMES = [
  ['', 'All'],
  ['2', 'Success'],
  ['4', 'Refused (4xx)'],
  ['5', 'Failed (5xx)'],
  ['none', 'No response'],
  ['fault', 'With a fault'],
] as const;

const hasOutcome = ({ status, fault }: LoggedRequest, outcome: string): boolean => {
  if (outcome === 'fault') {
    return fault !== undefined;
  }
  return outcome === 'none' ? status === undefined : String(status ?? '').startsWith(outcome);
};

/** Whether a filter selects a request. */
const matches = (request: LoggedRequest, { text, operation, outcome }: Filter): boolean =>
  (operation === '' || request.operation === operation) &&
  hasOutcome(request, outcome) &&
  JSON.stringify([request.method, request.path, request.search, request.body ?? ''])
    .toLowerCase()
    .includes(text.toLowerCase());

interface RequestFilterProps {
  readonly filter: Filter;
  readonly operations: readonly string[];
  readonly onChange: (filter: Filter) => void;
}

/** The fields of a {@link Filter}. */
const RequestFilter = ({ filter, operations, onChange }: RequestFilterProps) => (
  <search class="filters">
    <TextField
      label="Path or body"
      name="text"
      type="search"
      onInput={(text) => onChange({ ...filter, text })}
    />
    <SelectField
      label="Operation"
      name="operation"
      value={filter.operation}
      options={[['', 'All'], ...operations.map((operation) => [operation, operation] as const)]}
      onChange={(operation) => onChange({ ...filter, operation })}
    />
    <SelectField
      label="Outcome"
      name="outcome"
      value={filter.outcome}
      options={OUTCOMES}
      onChange={(outcome) => onChange({ ...filter, outcome })}
    />
  </search>
);

/** The latest requests, newest first, with a key that stays the same when more arrive. */
const load = async () => {
  const { data, total } = await loadLatest<LoggedRequest>('requests.list');
  return { total, requests: data.map((request, at) => ({ ...request, nth: total - at })) };
};

const clear = () =>
  command('requests.clear', { changes: ['requests'], done: 'The log of requests is empty now.' });

type Numbered = LoggedRequest & { readonly nth: number };

/** The requests to the API, as they come. */
export const Requests = () => {
  const live = useLive('requests', ['requests'], load);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [open, setOpen] = useState<Numbered>();
  return (
    <View
      title="Requests"
      intro="What the app asked the API, and what it got. Newest first."
      tools={
        <button type="button" onClick={clear}>
          Clear the log
        </button>
      }
    >
      <RequestFilter
        filter={filter}
        operations={[
          ...new Set((live.value?.requests ?? []).flatMap(({ operation }) => operation ?? [])),
        ].sort()}
        onChange={setFilter}
      />
      <Loaded live={live}>
        {({ requests, total }) => {
          const shown = requests.filter((request) => matches(request, filter));
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
            <>
              <Table
                caption="Requests, newest first"
                columns={columns}
                rows={shown}
                keyOf={({ nth }) => String(nth)}
                verb="Open"
                onOpen={setOpen}
              />
              <p class="sub">
                {shown.length} of {counted(total, 'request')}
              </p>
            </>
          );
        }}
      </Loaded>
      {open !== undefined && <RequestPanel request={open} onClose={() => setOpen(undefined)} />}
    </View>
  );
};
