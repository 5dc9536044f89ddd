import type { Sql } from './database.ts';

const COLUMNS = {
  conversations: 'id, pipeline_id, lead_id, channel, status, priority, last_message_at, created_at',
  messages: 'id, conversation_id, sender_type, direction, message_type, content, created_at',
  leads: 'id, pipeline_id, phone, display_name, email, source, status, created_at',
};

/** The kinds of rows that change and may be deleted. */
export type Kind = 'conversations' | 'leads';

interface Row {
  readonly id: string;
}

/** Writes rows as JSON, with the names of the columns. Postgres can store neither `\0` nor a lone surrogate. */
const toJson = (rows: readonly Row[]): string =>
  JSON.stringify(
    // Two transactions that lock rows in different orders could block each other.
    [...rows]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
            value,
          ]),
        ),
      ),
    (_, value) => (typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\uFFFD') : value),
  );

/** Saves rows that were requested after `asOf`, unless the copy has newer ones. */
export const saveRows = (sql: Sql, kind: Kind, rows: readonly Row[], asOf: Date) =>
  sql.query(
    `insert into ${kind} (${COLUMNS[kind]}, as_of)
    select ${COLUMNS[kind]}, $2 from jsonb_populate_recordset(null::${kind}, $1)
    on conflict (id) do update set (${COLUMNS[kind]}, as_of, gone_at) =
      row(${COLUMNS[kind].replace(/\w+/g, 'excluded.$&')}, excluded.as_of, null)
    where excluded.as_of >= ${kind}.as_of`,
    [toJson(rows), asOf],
  );

/** Saves messages, which never change. */
export const saveMessages = (sql: Sql, rows: readonly Row[]) =>
  sql.query(
    `insert into messages (${COLUMNS.messages})
    select ${COLUMNS.messages} from jsonb_populate_recordset(null::messages, $1) on conflict do nothing`,
    [toJson(rows)],
  );

export const markAsGone = (sql: Sql, kind: Kind, id: string, asOf: Date) =>
  sql.query(`update ${kind} set gone_at = $2, as_of = $2 where id = $1 and as_of <= $2`, [id, asOf]);

const idsOf = (rows: readonly unknown[]): string[] => rows.map((row) => (row as Row).id);

/** Returns the ids that the copy does not have. */
export const unknownIds = async (sql: Sql, kind: Kind, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql.query(`select id from ${kind} where id = any($1)`, [ids]);
  const known = new Set(idsOf(rows));
  return ids.filter((id) => !known.has(id));
};

/** Returns the ids of rows that were not seen since a time and are not marked as gone. */
export const notSeenSince = async (sql: Sql, kind: Kind, time: Date): Promise<string[]> =>
  idsOf((await sql.query(`select id from ${kind} where as_of < $1 and gone_at is null`, [time])).rows);

/**
 * Compares rows of the service with the copy. Returns a line for each that differs.
 *
 * @param join `left` if the copy may have more rows.
 */
export const findDifferences = async (
  sql: Sql,
  table: keyof typeof COLUMNS,
  rows: readonly Row[],
  join: 'full' | 'left',
): Promise<string[]> => {
  const columns = COLUMNS[table];
  const copied = table === 'messages' ? table : `${table} where gone_at is null`;
  const { rows: found } = await sql.query(
    `select concat_ws(' ', '${table}', coalesce(service.id, copy.id), case when copy.id is null then 'is missing'
      when service.id is null then 'is not in the service' else 'differs' end) as line
    from (select ${columns} from jsonb_populate_recordset(null::${table}, $1)) service
    ${join} join (select ${columns} from ${copied}) copy using (id)
    where service is distinct from copy`,
    [toJson(rows)],
  );
  return found.map((row) => (row as { readonly line: string }).line);
};

export const readCheckpoint = async (sql: Sql): Promise<string | undefined> => {
  const { rows } = await sql.query(`select value from checkpoints where name = 'messages'`);
  return (rows[0] as { readonly value: string } | undefined)?.value;
};

export const saveCheckpoint = (sql: Sql, value: string) =>
  sql.query(
    `insert into checkpoints values ('messages', $1) on conflict (name) do update set value = excluded.value`,
    [value],
  );
