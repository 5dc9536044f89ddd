import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { attempt, showDone } from '../live/action.ts';

export interface ButtonProps {
  readonly label: string;
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** The accessible name, if the label does not say enough. */
  readonly name?: string;
  readonly onClick: () => unknown;
  readonly onBlur?: () => void;
}

/** A button that submits no form. */
export const Button = ({ label, kind = 'plain', name, ...listeners }: ButtonProps) => (
  <button type="button" class={kind} aria-label={name} {...listeners}>
    {label}
  </button>
);

interface ConfirmButtonProps {
  readonly label: string;
  /** The label after the first click. */
  readonly confirm: string;
  readonly onConfirm: () => void;
}

/** A button for an action that can't be undone. It acts on the second click, unless it has lost the focus meanwhile. */
export const ConfirmButton = ({ label, confirm, onConfirm }: ConfirmButtonProps) => {
  const [asked, setAsked] = useState(false);
  const act = (): void => {
    setAsked(!asked);
    if (asked) {
      onConfirm();
    }
  };
  return (
    <Button label={asked ? confirm : label} kind="danger" onBlur={() => setAsked(false)} onClick={act} />
  );
};

/** A button that copies a text. `what` names the text: `key`. */
export const CopyButton = ({ what, text }: { readonly what: string; readonly text: string }) => {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    showDone(`Copied the ${what}.`);
  };
  return <Button label={`Copy ${what}`} kind="quiet" onClick={() => attempt(copy)} />;
};

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
    {onRemove && <Button label="Remove" kind="quiet" name={`Remove ${what}`} onClick={onRemove} />}
  </li>
);
