import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
