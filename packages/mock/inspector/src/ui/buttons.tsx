import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { attempt, sayDone } from '../live/action.ts';

interface DialogButtonProps {
  readonly label: string;
  readonly kind?: 'primary' | 'plain';
  /** The dialog, which calls `close` when it is closed. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export const DialogButton = ({ label, kind = 'primary', children }: DialogButtonProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {label}
      </button>
      {open && children(() => setOpen(false))}
    </>
  );
};

interface ConfirmButtonProps {
  readonly label: string;
  /** The label after the first click. */
  readonly confirm: string;
  readonly onConfirm: () => void;
}

/** A button for what can't be undone: it acts on the second click, unless the focus left it meanwhile. */
export const ConfirmButton = ({ label, confirm, onConfirm }: ConfirmButtonProps) => {
  const [asked, setAsked] = useState(false);
  return (
    <button
      type="button"
      class="danger"
      onBlur={() => setAsked(false)}
      onClick={() => {
        setAsked(!asked);
        if (asked) {
          onConfirm();
        }
      }}
    >
      {asked ? confirm : label}
    </button>
  );
};

/** A button that copies a text, and is named for what that is: `key`. */
export const CopyButton = ({ what, text }: { readonly what: string; readonly text: string }) => (
  <button
    type="button"
    class="quiet"
    onClick={() =>
      attempt(async () => {
        await navigator.clipboard.writeText(text);
        sayDone(`Copied the ${what}.`);
      })
    }
  >
    Copy {what}
  </button>
);

interface RemovableProps {
  readonly title: ComponentChildren;
  readonly text: string;
  /** What the button removes: `the fault of leads.create`. */
  readonly what: string;
  /** `undefined` if there is nothing left to remove. */
  readonly onRemove: (() => void) | undefined;
}

/** A line of a list, with a button that removes it. */
export const Removable = ({ title, text, what, onRemove }: RemovableProps) => (
  <li>
    <strong>{title}</strong>
    <span class="sub">{text}</span>
    {onRemove && (
      <button type="button" class="quiet" aria-label={`Remove ${what}`} onClick={onRemove}>
        Remove
      </button>
    )}
  </li>
);
