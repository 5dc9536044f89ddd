import { useState } from 'preact/hooks';
import type { LoggedRequest } from '../../api/types.ts';
import { command } from '../../live/command.ts';
import { useLive } from '../../live/use-live.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { View } from '../../ui/view.tsx';
import { faultText } from '../faults/fault-text.ts';
import { loadLatest } from '../load-latest.ts';
import { durationText } from './duration.ts';
import type { Filter } from './request-filter.tsx';
import { matches, NO_FILTER, RequestFilter } from './request-filter.tsx';
import { RequestPanel } from './request-panel.tsx';

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
              <p class="count">
                {shown.length} of {total} {total === 1 ? 'request' : 'requests'}
              </p>
            </>
          );
        }}
      </Loaded>
      {open !== undefined && <RequestPanel request={open} onClose={() => setOpen(undefined)} />}
    </View>
  );
};
