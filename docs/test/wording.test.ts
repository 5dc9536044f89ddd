import { expect, test } from 'vitest';
import { list, read } from './support/repository.ts';

// Files to check. Add 'packages/*/src/**/*.ts' to check docstrings and messages too.
const FILES = [
  'packages/*/src/**/*.ts',
  '*.md',
  '.changeset/*.md',
  '.github/**/*.md',
  'docs/*.md',
  'docs/{benchmarks,decisions,guides}/*.md',
  'examples/*/README.md',
  'packages/*/README.md',
];

/** Phrases that read as translated or are British, in any case, each with what to write instead. */
const AVOID: readonly (readonly [phrase: string, instead: string])[] = [
  ['a method an operation', 'one method per operation'],
  ['a step a file', 'one step per file'],
  ['a step a folder', 'one step per folder'],
  ['amid', 'during, in'],
  ['and said no', 'and returned an error response'],
  ['are answered', 'get, receive'],
  ['are told', 'receive, are called with'],
  ['arranges the world', 'edits a row directly'],
  ['be answered', 'get a response'],
  ['be told', 'receive, be called with'],
  ['beside', 'next to, with, compared with'],
  ['besides', 'in addition to, also'],
  ['brings along', 'includes'],
  ['brings no new rows', 'stopped making progress'],
  ['bring along', 'include'],
  ['can be had', 'is possible'],
  ['can not', 'cannot'],
  ['case aside', 'ignoring case'],
  ['come again', 'retry, deliver again'],
  ['comes again', 'retries, delivers again'],
  ['come of a', 'come from a'],
  ['goes astray', 'gets lost'],
  ['held against', 'checked against'],
  ['hold against', 'check against'],
  ['holds for', 'applies to'],
  ['in your hand', 'under your control'],
  ['in their hand', 'under their control'],
  ['is answered', 'gets, receives'],
  ['is told', 'receives, is called with'],
  ['leave to', 'permission to'],
  ['leaves to', 'lets'],
  ['meet success', 'succeed'],
  ['meets success', 'succeeds'],
  ['most often', 'usually'],
  ['nobody knows', 'unknown'],
  ['nobody looks', 'skips the check'],
  ['none leads to', 'errors never contain'],
  ['of ours', 'our own'],
  ['of yours', 'your own'],
  ['on its way', 'in flight'],
  ['on their way', 'in flight'],
  ['sat out', 'waited for'],
  ['sit out', 'wait for'],
  ['sits out', 'waits for'],
  ['stands before', 'precedes, the prefix'],
  ['stands towards', 'the state of'],
  ['taken for', 'treated as'],
  ['tells nobody', 'emits nothing, notifies no one'],
  ["that can't be", 'invalid'],
  ['that cannot be given', 'invalid'],
  ['there and then', 'immediately'],
  ['unless told', 'by default'],
  ['waited out', 'waited for'],
  ['ways in', 'ways to use it'],
  ['was answered', 'got a response'],
  ['was told', 'received, was called with'],
  ['were answered', 'got a response'],
  ['what is in this repository', 'repository layout'],
  ['what they throw too', 'exceptions are ignored too'],
  ['where to read on', 'next steps'],
  ['whose turn', 'next'],
  // American spelling
  ['artefact', 'artifact'],
  ['behaviour', 'behavior'],
  ['cancelled', 'canceled'],
  ['colour', 'color'],
  ['favour', 'favor'],
  ['grey', 'gray'],
  ['initialise', 'initialize'],
  ['licence', 'license'],
  ['normalise', 'normalize'],
  ['normalised', 'normalized'],
  ['organise', 'organize'],
  ['randomised', 'randomized'],
  ['recognise', 'recognize'],
  ['recognised', 'recognized'],
  ['serialise', 'serialize'],
  ['serialised', 'serialized'],
];

/** A phrase of whole words, also when a line (of a comment) ends between two of them. */
const patternOf = (phrase: string): RegExp =>
  new RegExp(`\\b${phrase.replaceAll(' ', String.raw`\s+(?:(?:\*|//)\s+)?`)}\\b`, 'gi');

/** Each phrase to avoid in a text, by line, with what to write instead. */
const findPhrases = (path: string, text: string): string[] =>
  AVOID.flatMap(([phrase, instead]) =>
    [...text.matchAll(patternOf(phrase))].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: instead of "${found.replaceAll(/\s+/g, ' ')}", write "${instead}"`;
    }),
  );

const files = list(...FILES);

test('documents avoid phrases that read as translated', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((path) => findPhrases(path, read(path)))).toEqual([]);
});

test('a phrase is found across lines and in comments, but not within a word', () => {
  const text = ['Whoever is', 'told it.', '/** The response is', ' * answered. */', 'colourful'].join('\n');
  expect(findPhrases('guide.md', text)).toEqual([
    'guide.md:3: instead of "is * answered", write "gets, receives"',
    'guide.md:1: instead of "is told", write "receives, is called with"',
  ]);
});
