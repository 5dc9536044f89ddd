import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly placeholder?: string;
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'url' | 'tel' | 'number';
  /** Known values, which are suggested. */
  readonly options?: readonly string[] | undefined;
  readonly min?: number;
}

const Hint = ({ id, text }: { readonly id: string; readonly text: string | undefined }) =>
  text === undefined ? null : (
    <span class="hint" id={id}>
      {text}
    </span>
  );

/** A line of text with its label. */
export const TextField = ({ label, value, hint, options, ...rest }: TextFieldProps) => {
  const id = useId();
  // Which attributes go with which type is more than the types of the fields say.
  const attributes = {
    ...rest,
    ...(options && { list: `${id}-list` }),
  } as JSX.IntrinsicElements['input'];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...attributes}
        defaultValue={value}
        autocomplete="off"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {options !== undefined && (
        <datalist id={`${id}-list`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
};

/** Several lines of text with their label. */
export const AreaField = ({ label, name, value, hint, required, placeholder }: FieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        defaultValue={value}
        required={required}
        rows={3}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
};

interface SelectFieldProps extends Omit<FieldProps, 'placeholder' | 'required'> {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange?: (value: string) => void;
}

/** A choice with its label. */
export const SelectField = ({ label, name, value, hint, options, onChange }: SelectFieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
};
