import type { SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** A source map, as tools write it. */
export interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
  /** The positions of sources that debuggers pass over. */
  readonly ignoreList?: readonly number[];
}

/** Whether a source is code of another package. */
export const isForeign = (source: string): boolean => source.includes('/node_modules/');

/**
 * Returns the map of a program without the texts of its sources, which are published beside it, and without positions in
 * other packages. It still names their files, which tell whose licenses are needed.
 *
 * The map has lines but no columns, which is enough for stack traces and breakpoints. With columns, it would be larger than
 * the code.
 */
export const ownMap = ({ version, sources, mappings }: SourceMap): SourceMap => {
  const foreign = sources.flatMap((source, index) => (isForeign(source) ? [index] : []));
  const own = ([column, source, line, at]: SourceMapSegment): SourceMapSegment =>
    source === undefined || line === undefined || at === undefined || foreign.includes(source)
      ? [column]
      : [column, source, line, at];
  const lines = decode(mappings).map((segments) =>
    segments.map(own).filter(([, source, line], index, all) => {
      const before = all[index - 1];
      return source !== before?.[1] || line !== before?.[2];
    }),
  );
  return {
    version,
    sources,
    names: [],
    mappings: encode(lines),
    ...(foreign.length > 0 && { ignoreList: foreign }),
  };
};
