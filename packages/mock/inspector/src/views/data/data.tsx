import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Row } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { TOPICS, useLive } from '../../live/live.ts';
import { linkTo, route } from '../../live/route.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { TextField } from '../../ui/fields.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import type { Resource } from './resources.ts';
import { isMoment, labelOf, loadResources } from './resources.ts';
import { RowForm } from './row-form.tsx';

const PAGE = 50;

const cellOf = (field: string) => (row: Row) => {
  const value = row[field];
  if (value === null || value === undefined || value === '') {
    return <span class="sub">–</span>;
  }
  return isMoment(field) ? <Time at={String(value)} /> : String(value);
};

const columnsOf = ({ columns }: Resource): Column<Row>[] =>
  columns.map((field, at) => ({
    name: labelOf(field),
    cell: cellOf(field),
    width: at === 0 ? 'wide' : 'small',
    ...(at > 0 && at < columns.length - 1 && { hiddenOn: at % 2 === 1 ? 'phone' : 'tablet' }),
  }));

const reset = () =>
  command('reset', { changes: TOPICS, done: 'The mock was reset to its state at startup.' });

interface TabsProps {
  readonly all: readonly Resource[];
  readonly current: Resource;
}

const Tabs = ({ all, current }: TabsProps) => (
  <nav class="tabs" aria-label="Collections">
    {all.map(({ name }) => (
      <a key={name} href={linkTo('data', name)} aria-current={name === current.name ? 'page' : undefined}>
        {labelOf(name)}
      </a>
    ))}
  </nav>
);

interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly onMove: (offset: number) => void;
}

/** Moves between the pages of a list. */
const Pager = ({ offset, limit, total, onMove }: PagerProps) => (
  <div class="pager">
    <p class="sub">
      {Math.min(offset + 1, total)} to {Math.min(offset + limit, total)} of {total}
    </p>
    {total > limit && (
      <div>
        <button type="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
          Previous
        </button>
        <button type="button" disabled={offset + limit >= total} onClick={() => onMove(offset + limit)}>
          Next
        </button>
      </div>
    )}
  </div>
);

const Rows = ({ resource }: { readonly resource: Resource }) => {
  const { name: collection, noun } = resource;
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [open, setOpen] = useState<Row | 'new'>();
  const live = useLive(`${collection}?${search}&${offset}`, ['rows'], () =>
    call<Row[]>('rows.find', { params: { collection }, query: { search, limit: PAGE, offset } }),
  );
  return (
    <>
      <div class="filters">
        <TextField
          label="Search"
          name="search"
          type="search"
          onInput={(text) => {
            setSearch(text);
            setOffset(0);
          }}
        />
        <button type="button" class="primary" onClick={() => setOpen('new')}>
          New {noun}
        </button>
      </div>
      <Loaded live={live}>
        {({ data, meta: { total } }) =>
          total === 0 ? (
            <Empty title={search === '' ? `No ${collection} yet` : `No ${noun} contains “${search}”`}>
              {search === '' ? `Create a ${noun}, or let the app do so.` : 'Search for something else.'}
            </Empty>
          ) : (
            <>
              <Table
                caption={`${labelOf(collection)}, newest first`}
                columns={columnsOf(resource)}
                rows={data}
                keyOf={({ id }) => id}
                verb="Edit"
                onOpen={setOpen}
              />
              <Pager offset={offset} limit={PAGE} total={total} onMove={setOffset} />
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <RowForm
          resource={resource}
          row={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
};

/** The rows of each resource. */
export const Data = () => {
  const resources = useLive('resources', [], loadResources);
  const named = (name: string | undefined) => resources.value?.find((each) => each.name === name);
  const current = named(route.value[1]) ?? named('leads');
  return (
    <View
      title="Data"
      intro="The rows of the mock. Changes here emit no events."
      tools={<ConfirmButton label="Reset the mock" confirm="Reset everything?" onConfirm={reset} />}
    >
      <Loaded live={resources}>
        {(all) =>
          current && (
            <>
              <Tabs all={all} current={current} />
              <Rows key={current.name} resource={current} />
            </>
          )
        }
      </Loaded>
    </View>
  );
};
