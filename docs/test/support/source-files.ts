import ts from 'typescript';
import { list, read } from './repository.ts';

/** A parsed file, with its path in the repository. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export const parse = (path: string, text: string): SourceFile => ({
  path,
  text,
  tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
});

/** Parses the files of the repository that match the patterns. */
export const sourceFiles = (...patterns: string[]): SourceFile[] =>
  list(...patterns).map((path) => parse(path, read(path)));

/** Every node of a file, parents before children. */
export const nodesOf = ({ tree }: SourceFile): ts.Node[] => {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
};

/** `path:line`, with what is there. */
export const at = ({ path, tree }: SourceFile, position: number, what: string): string =>
  `${path}:${tree.getLineAndCharacterOfPosition(position).line + 1}: ${what}`;
