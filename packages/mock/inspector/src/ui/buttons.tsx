import { useState } from 'preact/hooks';
import { attempt, sayDone } from '../live/action.ts';

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

interface CopyButtonProps {
  /** What is copied: `base URL`. */
  readonly what: string;
  readonly text: string;
}

/** A button that copies a text. */
export const CopyButton = ({ what, text }: CopyButtonProps) => (
  <button
    type="button"
    class="quiet"
    aria-label={`Copy the ${what}`}
    onClick={() =>
      attempt(async () => {
        await navigator.clipboard.writeText(text);
        sayDone(`The ${what} is copied.`);
      })
    }
  >
    Copy
  </button>
);

interface RemovableProps {
  readonly title: string;
  readonly text: string;
  /** What the button removes: `the fault of leads.create`. */
  readonly what: string;
  readonly onRemove: () => void;
}

/** An entry of a list, with a button that removes it. */
export const Removable = ({ title, text, what, onRemove }: RemovableProps) => (
  <li class="card row">
    <div>
      <strong>{title}</strong>
      <span class="sub">{text}</span>
    </div>
    <button type="button" aria-label={`Remove ${what}`} onClick={onRemove}>
      Remove
    </button>
  </li>
);
