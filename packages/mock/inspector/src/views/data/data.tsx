import { useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Row } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { changed, useLive } from '../../live/live.ts';
import { linkTo, route } from '../../live/route.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
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

/** The first cell of a row without a name shows the next column, such as the phone number of a lead. */
const columnsOf = ({ columns }: Resource): Column<Row>[] =>
  columns.map((field, index) => ({
    name: labelOf(field),
    cell: (row) => cellOf(index > 0 || row[field] ? field : (columns[1] ?? field))(row),
    ...(index > 0 && { width: isMoment(field) ? 13 : 9.75 }),
    ...(index > 0 && index < columns.length - 1 && { hiddenOn: index % 2 === 1 ? 'no-phone' : 'no-tablet' }),
  }));

const reset = () => command('reset', { done: 'Mock reset to its state at startup.' });

const Rows = ({ resource }: { readonly resource: Resource }) => {
  const { name: collection, noun } = resource;
  const [search, setSearch] = useState('');
  const limit = useRef(PAGE);
  const load = () => call('rows.find', { params: { collection }, query: { search, limit: limit.current } });
  const live = useLive(['rows'], load, search);
  return (
    <>
      <div class="filters">
        <Field label="Search" name="search" type="search" onInput={setSearch} />
        <DialogButton label={`New ${noun}`} dialog={<RowForm resource={resource} />} />
      </div>
      <Loaded live={live}>
        {({ data, meta: { total } }) =>
          total === 0 ? (
            <Empty title={search === '' ? `No ${collection} yet` : `No ${noun} contains “${search}”`}>
              {search === '' ? `Create a ${noun}, or let the app do so.` : 'Search for something else.'}
            </Empty>
          ) : (
            <Table
              columns={columnsOf(resource)}
              rows={data as readonly Row[]}
              verb="Edit"
              dialog={(row) => <RowForm resource={resource} row={row} />}
              total={total}
              noun={noun}
              onMore={() => {
                limit.current += PAGE;
                changed('rows');
              }}
            />
          )
        }
      </Loaded>
    </>
  );
};

/** The rows of each resource. */
export const Data = () => {
  const resources = useLive([], loadResources);
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
              <nav class="tabs" aria-label="Collections">
                {all.map(({ name }) => (
                  <a
                    key={name}
                    href={linkTo('data', name)}
                    aria-current={name === current.name ? 'page' : undefined}
                  >
                    {labelOf(name)}
                  </a>
                ))}
              </nav>
              <Rows key={current.name} resource={current} />
            </>
          )
        }
      </Loaded>
    </View>
  );
};
