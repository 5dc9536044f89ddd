import { UsageError } from '@confab/internal/cli';
import type { Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { MAX_DEPTH } from '../request/json.ts';
import {
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../world/store/rows.ts';
import { nameProblem } from './parse-json.ts';
import type { SizeLimit } from './read-file.ts';
import { reasonOf } from './read-file.ts';

/** What the parser reads within a second, however its text is made. */
export const YAML_LIMIT: SizeLimit = {
  bytes: 256 * 1024,
  hint: ' Write it as JSON, which is read much faster.',
};

/** As many values as aliases may repeat. A few lines whose aliases repeat each other can stand for billions. */
const MAX_REPEATED = 1_000_000;

/** Levels of the tree from the document to the fields of a row: map, list, sequence and row. */
const ROW_FIELD = 5;

const ROW_FIELDS: ReadonlySet<string> = new Set(
  [
    PipelineSchema,
    StoredAgentSchema,
    StoredLeadSchema,
    StoredConversationSchema,
    StoredMessageSchema,
  ].flatMap(({ shape }) => Object.keys(shape)),
);

type Yaml = typeof import('yaml');

type Ancestors = readonly (Document | Node | Pair)[];

const unquoted = (name: string, { source, value }: Scalar): string =>
  `YAML reads ${source ?? String(value)} as a ${typeof value}, and ${name} must be a text. Put it in quotes: ${name}: "${source ?? String(value)}"`;

/** Replaces aliases by what they stand for, within bounds, and finds what JSON could not express. */
const resolve = ({ visit, isScalar, isMap, isNode }: Yaml, document: Document, lines: LineCounter): void => {
  const anchors = new Map<string, Node>();
  const seen = new Set<unknown>();
  let repeated = 0;

  const refuse = (problem: string, at: unknown): never => {
    const start = isNode(at) ? (at.range?.[0] ?? 0) : 0;
    throw new UsageError(`${problem}, at line ${lines.linePos(start).line}`);
  };
  const checkField = ({ key, value }: Pair, path: Ancestors): void => {
    const name = isScalar(key) ? String(key.value) : '';
    const list = path[2];
    const isOfRow =
      path.length === ROW_FIELD &&
      ROW_FIELDS.has(name) &&
      String(Reflect.get(list ?? {}, 'key')) !== 'faults';
    if (isOfRow && isScalar(value) && /^(?:number|boolean)$/.test(typeof value.value)) {
      refuse(unquoted(name, value), value);
    }
  };

  // Not by the parser, which compares each name with all others of its object.
  const checkNames = (map: YAMLMap): void => {
    const names = new Set<unknown>();
    for (const { key } of map.items) {
      const name: unknown = isScalar(key) ? key.value : key;
      const problem = nameProblem(String(name), names.has(name));
      if (problem !== undefined) {
        refuse(problem, key);
      }
      names.add(name);
    }
  };

  visit(document, {
    Node(_, node, path) {
      const { anchor } = node as { readonly anchor?: string };
      if (path.length > 2 * MAX_DEPTH) {
        refuse('it is nested too deeply', node);
      }
      if (seen.has(node)) {
        repeated += 1;
        if (repeated > MAX_REPEATED) {
          throw new UsageError(`its aliases repeat more than ${MAX_REPEATED} values`);
        }
        return undefined;
      }
      seen.add(node);
      if (isMap(node)) {
        checkNames(node);
      }
      if (anchor !== undefined) {
        anchors.set(anchor, node);
      }
      return undefined;
    },
    Alias(_, alias, path) {
      const target = anchors.get(alias.source);
      if (target === undefined || path.includes(target)) {
        return refuse(
          `the alias *${alias.source} stands for ${target === undefined ? 'nothing' : 'a value that contains it'}`,
          alias,
        );
      }
      return target;
    },
    Pair(_, pair, path) {
      checkField(pair, path);
    },
  });
};

/** Parses a text. Each of its errors, of which it may have one a character, would otherwise collect its stack. */
const parseDocument = (yaml: Yaml, text: string, lineCounter: LineCounter): Document => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return yaml.parseDocument(text, { lineCounter, merge: true, uniqueKeys: false, prettyErrors: false });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

const parse = (yaml: Yaml, text: string): unknown => {
  const lines = new yaml.LineCounter();
  const document = parseDocument(yaml, text, lines);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    problem.message += ` at line ${line}, column ${col}`;
    throw problem;
  }
  resolve(yaml, document, lines);
  return document.toJS() ?? {};
};

/**
 * Parses the text of a YAML file.
 *
 * @throws {@link UsageError} When it is not YAML, or has values that JSON could not express.
 */
export const parseYaml = async (path: string, text: string): Promise<unknown> => {
  // Loaded late: most mocks start without a YAML file.
  const yaml = await import('yaml');
  try {
    return parse(yaml, text);
  } catch (error) {
    if (error instanceof UsageError) {
      throw new UsageError(`Can't load ${path}: ${error.message}`);
    }
    throw new UsageError(`${path} is not YAML: ${reasonOf(error)}`);
  }
};
