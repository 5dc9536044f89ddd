const known = new WeakMap<object, string>();

/** Rows are frozen, so that their JSON is made once; turning pages into JSON was a quarter of what they cost. */
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
