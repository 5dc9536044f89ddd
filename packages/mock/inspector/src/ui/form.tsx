import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** The texts of a form, by the names of their fields. */
export type Texts = Readonly<Record<string, string>>;

interface FormProps {
  readonly submit: string;
  /** Called with the texts. If it throws, the form shows why. */
  readonly onSubmit: (texts: Texts, form: HTMLFormElement) => Promise<void>;
  readonly children: ComponentChildren;
  /** Further buttons. */
  readonly actions?: ComponentChildren;
}

const textsOf = (form: HTMLFormElement): Texts =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** A form that is sent once at a time, and that shows why it was refused. */
export const Form = ({ submit, onSubmit, children, actions }: FormProps) => {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Known at once: a second click may come before the button is disabled.
  const busy = useRef(false);
  const send = async (form: HTMLFormElement): Promise<void> => {
    if (busy.current) {
      return;
    }
    busy.current = true;
    setSending(true);
    setProblem(undefined);
    try {
      await onSubmit(textsOf(form), form);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      {children}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="form-actions">
        <button type="submit" class="primary" disabled={sending}>
          {submit}
        </button>
        {actions}
      </div>
    </form>
  );
};
