import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/typescript/register';
import { declarations } from 'virtual:playground/declarations';
import { editor, KeyCode, KeyMod, Uri } from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import TypeScriptWorker from 'monaco-editor/language/typescript/ts.worker?worker';
import {
  getTypeScriptWorker,
  ModuleKind,
  ScriptTarget,
  typescriptDefaults,
} from 'monaco-editor/languages/features/typescript/register';

/** `ModuleResolutionKind.Bundler`, which Monaco's own enum lacks. */
const BUNDLER: number = 100;

/** Errors about unused names, which a short program may have. */
const IGNORED = [6133, 6192, 6196];

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => (label === 'typescript' ? new TypeScriptWorker() : new EditorWorker()),
};

typescriptDefaults.setCompilerOptions({
  target: ScriptTarget.ESNext,
  module: ModuleKind.ESNext,
  moduleResolution: BUNDLER,
  // A program without imports is a module too, so it may use `await`.
  moduleDetection: 3,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: [],
});
typescriptDefaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: IGNORED });
typescriptDefaults.setExtraLibs([...declarations]);
typescriptDefaults.setEagerModelSync(true);

/** The green of comments in Monaco's dark theme is too dark to read. */
editor.defineTheme('dark', {
  base: 'vs-dark',
  inherit: true,
  rules: [{ token: 'comment', foreground: '85b36f' }],
  colors: { 'editor.background': '#1b1b1f' },
});

/** Creates the editor in an element; Ctrl+Enter runs the program. `onEdit` is called when the visitor changes it. */
export const createEditor = (
  element: HTMLElement,
  program: string,
  onRun: () => void,
  onEdit: (program: string) => void,
) => {
  const model = editor.createModel(program, 'typescript', Uri.parse('file:///program.ts'));
  let isOpening = false;
  model.onDidChangeContent(() => {
    if (!isOpening) {
      onEdit(model.getValue());
    }
  });
  const view = editor.create(element, {
    model,
    ariaLabel: 'Program. Press Ctrl+M to let the Tab key leave the editor, and Ctrl+Enter to run.',
    automaticLayout: true,
    fixedOverflowWidgets: true,
    fontSize: 13,
    minimap: { enabled: false },
    // The default dims the number of the last line, which has too little contrast.
    renderFinalNewline: 'on',
    scrollBeyondLastLine: false,
    tabSize: 2,
    lineNumbersMinChars: 3,
    padding: { top: 12, bottom: 12 },
    wordWrap: 'on',
  });
  view.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, onRun);
  return {
    program: (): string => model.getValue(),
    // Replaces the text in one edit, so that the visitor can undo it.
    open: (next: string): void => {
      isOpening = true;
      model.pushStackElement();
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text: next }], () => null);
      model.pushStackElement();
      isOpening = false;
    },
    /** Compiles the program to JavaScript, even if its types are wrong. */
    compile: async (): Promise<string> => {
      const worker = await (await getTypeScriptWorker())(model.uri);
      const { outputFiles } = await worker.getEmitOutput(model.uri.toString());
      return outputFiles.find(({ name }) => name.endsWith('.js'))?.text ?? '';
    },
    setDark: (dark: boolean): void => editor.setTheme(dark ? 'dark' : 'vs'),
    dispose: (): void => {
      view.dispose();
      model.dispose();
    },
  };
};

export type ProgramEditor = ReturnType<typeof createEditor>;
