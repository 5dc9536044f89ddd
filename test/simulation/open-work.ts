/** Describes the open work of each kind, such as `calls: 1 (client2.26), jobs: 2`; empty if there is none. */
export const openText = (open: Readonly<Record<string, number | readonly string[]>>): string =>
  Object.entries(open)
    .map(([kind, work]) => {
      const count = typeof work === 'number' ? work : work.length;
      return count === 0 ? '' : `${kind}: ${count}${typeof work === 'number' ? '' : ` (${work.join(', ')})`}`;
    })
    .filter((text) => text !== '')
    .join(', ');
