import { useState } from 'preact/hooks';

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
