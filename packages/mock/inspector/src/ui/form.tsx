import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../live/action.ts';
import { Problem } from './view.tsx';

/** The texts of a form, by the names of their fields. */
export type Texts = Readonly<Record<string, string>>;

interface FormProps {
  readonly submit: string;
  /** Called with the texts. If it throws, the form shows why. */
  readonly onSubmit: (texts: Texts, form: HTMLFormElement) => Promise<unknown>;
  readonly children: ComponentChildren;
  /** Further buttons. */
  readonly actions?: ComponentChildren;
}

const textsOf = (form: HTMLFormElement): Texts =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** A form that is sent once at a time, and that shows why it was refused. */
export const Form = ({ submit, onSubmit, children, actions }: FormProps) => {
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
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
      setProblem(messageOf(error));
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
      <Problem text={problem} />
      <div class="tools">
        <button type="submit" class="primary" disabled={sending}>
          {submit}
        </button>
        {actions}
      </div>
    </form>
  );
};

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A panel over the page, which keeps the focus until it is closed and then returns it. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} class="panel" aria-labelledby={id} onClose={onClose}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      <div class="panel-body">{children}</div>
    </dialog>
  );
};

/** A form in a dialog, which closes once the form was sent. */
export const FormDialog = ({ title, onClose, onSubmit, ...form }: DialogProps & FormProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      {...form}
      onSubmit={async (...sent) => {
        await onSubmit(...sent);
        onClose();
      }}
    />
  </Dialog>
);
