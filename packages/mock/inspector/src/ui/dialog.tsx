import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ButtonProps } from './buttons.tsx';
import { Button } from './buttons.tsx';
import type { Control, FormProps } from './form.tsx';
import { Form } from './form.tsx';

/** Closes the dialog that shows this. */
export const Closing = createContext(() => {});

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/**
 * A panel over the page, which keeps the focus until it is closed and then returns it. The focus starts at the first field
 * of a form in it.
 */
export const Dialog = ({ title, children }: DialogProps) => {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const close = useContext(Closing);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<Control>('form :is(input, select, textarea)')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} class="panel" aria-labelledby={id} onClose={close}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <Button label="Close" kind="quiet" onClick={() => element.current?.close()} />
      </header>
      <div class="panel-body">{children}</div>
    </dialog>
  );
};

/** A form in a dialog that closes when the form has been sent. */
export const FormDialog = ({ title, onSubmit, ...form }: DialogProps & FormProps) => {
  const close = useContext(Closing);
  const submit: FormProps['onSubmit'] = async (...sent) => {
    await onSubmit(...sent);
    close();
  };
  return (
    <Dialog title={title}>
      <Form {...form} onSubmit={submit} />
    </Dialog>
  );
};

interface DialogButtonProps extends Pick<ButtonProps, 'label' | 'kind'> {
  readonly dialog: ComponentChildren;
}

/** A button that opens a dialog. */
export const DialogButton = ({ label, kind = 'primary', dialog }: DialogButtonProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button label={label} kind={kind} onClick={() => setOpen(true)} />
      {open && <Closing.Provider value={() => setOpen(false)}>{dialog}</Closing.Provider>}
    </>
  );
};
