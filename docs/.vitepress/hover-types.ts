import { fileURLToPath } from 'node:url';
import type { TwoslashRenderer } from '@shikijs/twoslash';
import { rendererRich, transformerTwoslash } from '@shikijs/twoslash';
import ts from 'typescript';

// Types open on keyboard focus too.
const rich = rendererRich({ hast: { hoverToken: { properties: { tabindex: '0' } } } });

/** The first paragraph of a docstring, without markup. */
const summary = (docs: string): string =>
  (docs.split('\n\n')[0] ?? '').replaceAll(/\{@link (\w+)\}/g, '$1').replaceAll('`', '');

const renderer: TwoslashRenderer = {
  ...rich,
  nodeStaticInfo({ tags: _tags, docs, ...info }, node) {
    return rich.nodeStaticInfo.call(this, docs === undefined ? info : { ...info, docs: summary(docs) }, node);
  },
};

/** Shows the types of names in the blocks that begin with ` ```ts twoslash `. A block with a wrong type is an error. */
export const hoverTypes = transformerTwoslash({
  explicitTrigger: true,
  renderer,
  twoslashOptions: {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      customConditions: ['@confab/source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      types: ['node'],
    },
    vfsRoot: fileURLToPath(new URL('..', import.meta.url)),
  },
});
