import type { SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** A source map, as tools write it. */
export interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
  readonly names: readonly string[];
  readonly mappings: string;
  /** The positions of sources that debuggers pass over. */
  readonly ignoreList?: readonly number[];
}

/** Whether a source is code of another package. */
export const isForeign = (source: string): boolean => source.includes('/node_modules/');

/**
 * A source map without the text and the positions of other packages, whose part is often larger than ours. It still names
 * their files, which shows whose licenses are needed.
 */
export const ownMap = (map: SourceMap): SourceMap => {
  const foreign = map.sources.flatMap((source, index) => (isForeign(source) ? [index] : []));
  const names = new Map<string, number>();
  const nameOf = (index: number): number => {
    const name = map.names[index] ?? '';
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const own = (segment: SourceMapSegment): SourceMapSegment => {
    const [column, source, line, at, name] = segment;
    if (source === undefined || line === undefined || at === undefined || foreign.includes(source)) {
      return [column];
    }
    return name === undefined ? [column, source, line, at] : [column, source, line, at, nameOf(name)];
  };
  const mappings = decode(map.mappings).map((segments) =>
    // One empty segment says that what follows has no source, however many there were.
    segments
      .map(own)
      .filter((segment, index, all) => segment.length > 1 || (all[index - 1]?.length ?? 1) > 1),
  );
  return {
    ...map,
    names: [...names.keys()],
    mappings: encode(mappings),
    ...(map.sourcesContent && {
      sourcesContent: map.sourcesContent.map((text, index) => (foreign.includes(index) ? null : text)),
    }),
    ...(foreign.length > 0 && { ignoreList: foreign }),
  };
};
