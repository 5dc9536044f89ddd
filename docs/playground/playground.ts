import { useData } from 'vitepress';
import { defineComponent, h, onBeforeUnmount, onMounted, shallowRef, watch } from 'vue';
import type { ProgramEditor } from './editor.ts';
import { EXAMPLES } from './examples.ts';
import { drawMocks, drawOutput } from './panels.ts';
import { savedProgram, saveProgram } from './saved-program.ts';
import { fromFragment, toFragment } from './share.ts';
import { useRuns } from './use-runs.ts';
import './playground.css';

const DAMAGED = 'The program in the link is damaged, so it was not opened.';
/** Matches windows in which the results are below the program. */
const ONE_COLUMN = '(max-width: 959px)';

const REPLACED = 'Press Ctrl+Z in the editor to bring back the previous program.';
const SHARED = 'This program came with the link. Read it before you run it.';

/** An editor for programs that use the packages, with a mock to run them against. */
export const Playground = defineComponent({
  name: 'PlaygroundPage',
  setup() {
    const { isDark } = useData();
    const { lines, mocks, status, running, hasRun, run, stop } = useRuns();
    const element = shallowRef<HTMLElement>();
    const results = shallowRef<HTMLElement>();
    const editor = shallowRef<ProgramEditor>();
    const notice = shallowRef('Loading the editor…');
    const selected = shallowRef('0');

    const start = (): void => {
      const { value } = editor;
      if (value) {
        void run(() => value.compile());
        if (matchMedia(ONE_COLUMN).matches) {
          results.value?.scrollIntoView();
        }
      }
    };
    // What the visitor writes or chooses is kept for the next visit, and the address no longer holds a shared program.
    const keep = (program: string): void => {
      if (location.hash !== '') {
        history.replaceState(history.state, '', location.pathname);
      }
      saveProgram(program);
    };
    const openExample = (index: string): void => {
      const { program } = EXAMPLES[Number(index)] ?? EXAMPLES[0];
      selected.value = index;
      notice.value = REPLACED;
      editor.value?.open(program);
      keep(program);
    };
    // A shared program only opens. The visitor decides whether to run it, and it does not replace the kept program.
    const openShared = async (): Promise<void> => {
      const program = await fromFragment(location.hash);
      if (program !== undefined) {
        stop();
        editor.value?.open(program);
        selected.value = '';
      }
      const damaged = program === undefined && location.hash.startsWith('#code=');
      notice.value = damaged ? DAMAGED : program === undefined ? '' : SHARED;
    };
    const share = async (): Promise<void> => {
      try {
        const fragment = await toFragment(editor.value?.program() ?? '');
        history.replaceState(history.state, '', location.pathname + fragment);
        await navigator.clipboard.writeText(location.href);
        notice.value = 'The link is copied. It holds the whole program.';
      } catch (error) {
        notice.value =
          error instanceof RangeError
            ? error.message
            : 'Copy the link from the address bar. It holds the whole program.';
      }
    };

    let left = false;
    onMounted(async () => {
      const { createEditor } = await import('./editor.ts');
      if (left || element.value === undefined) {
        return;
      }
      const program = savedProgram() ?? EXAMPLES[0].program;
      const example = EXAMPLES.findIndex((each) => each.program === program);
      selected.value = example < 0 ? '' : String(example);
      editor.value = createEditor(element.value, program, start, keep);
      watch(isDark, (dark) => editor.value?.setDark(dark), { immediate: true });
      addEventListener('hashchange', openShared);
      await openShared();
    });
    onBeforeUnmount(() => {
      left = true;
      removeEventListener('hashchange', openShared);
      editor.value?.dispose();
    });

    const drawToolbar = () =>
      h('div', { class: 'toolbar' }, [
        h(
          'button',
          { type: 'button', class: 'run', disabled: !editor.value || running.value, onClick: start },
          'Run',
        ),
        h('button', { type: 'button', disabled: !running.value, onClick: stop }, 'Stop'),
        h('button', { type: 'button', disabled: !editor.value, onClick: share }, 'Share'),
        h('label', [
          'Example ',
          h(
            'select',
            {
              value: selected.value,
              disabled: !editor.value,
              onChange: ({ target }: Event) => openExample((target as HTMLSelectElement).value),
            },
            [
              ...(selected.value === '' ? [h('option', { value: '' }, 'Another program')] : []),
              ...EXAMPLES.map(({ title }, index) => h('option', { value: String(index) }, title)),
            ],
          ),
        ]),
      ]);
    return () =>
      h('div', { class: 'playground' }, [
        drawToolbar(),
        h('p', { class: 'notice', role: 'status' }, notice.value),
        h('div', { class: 'columns' }, [
          h('div', { class: 'program' }, [
            // In the editor, the shortcuts of the site, such as / for the search, are characters.
            h('div', { ref: element, class: 'editor', onKeydown: (event: Event) => event.stopPropagation() }),
            h('p', { class: 'keys' }, [
              h('kbd', 'Ctrl'),
              '+',
              h('kbd', 'Enter'),
              ' runs the program. ',
              h('kbd', 'Ctrl'),
              '+',
              h('kbd', 'M'),
              ' lets Tab leave the editor.',
            ]),
          ]),
          h('div', { ref: results, class: 'results' }, [
            drawOutput(lines.value, status.value),
            ...drawMocks(mocks.value, hasRun.value),
          ]),
        ]),
      ]);
  },
});
