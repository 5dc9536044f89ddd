const known = new WeakMap<object, string>();

/** The JSON of a row. Rows are frozen, so it is cached: writing it was a quarter of the cost of a page. */
const rowJson = (row: unknown): string => {
  if (typeof row !== 'object' || row === null || !Object.isFrozen(row)) {
    return JSON.stringify(row);
  }
  const json = known.get(row) ?? JSON.stringify(row);
  known.set(row, json);
  return json;
};

/** The JSON of a success: `{ success, data, meta? }`. */
export const bodyJson = ({ data, meta }: { data: unknown; meta?: unknown }): string => {
  const json = Array.isArray(data) ? `[${data.map(rowJson).join(',')}]` : JSON.stringify(data);
  const tail = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  return `{"success":true,"data":${json}${tail}}`;
};
