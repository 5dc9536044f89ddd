import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly placeholder?: string;
}

type Attributes = Readonly<Record<string, unknown>>;

/** A label, what is below it, and a hint. */
const Labeled = ({
  label,
  hint,
  children,
}: Pick<FieldProps, 'label' | 'hint'> & {
  readonly children: (attributes: Attributes) => ComponentChildren;
}) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && (
        <span class="sub" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
};

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'url' | 'tel' | 'number' | 'search';
  /** Known values, which are suggested. */
  readonly options?: readonly string[] | undefined;
  readonly min?: number;
  readonly onInput?: (text: string) => void;
}

/** A line of text with its label. */
export const TextField = ({ label, value, hint, options, onInput, ...rest }: TextFieldProps) => (
  <Labeled label={label} hint={hint}>
    {(attributes) => (
      <>
        <input
          // Which attributes go with which type is more than the types of the fields say.
          {...({
            ...attributes,
            ...rest,
            ...(options && { list: `${attributes.id}-list` }),
          } as JSX.IntrinsicElements['input'])}
          defaultValue={value}
          autocomplete="off"
          onInput={(event) => onInput?.(event.currentTarget.value)}
        />
        {options && (
          <datalist id={`${attributes.id}-list`}>
            {options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        )}
      </>
    )}
  </Labeled>
);

/** Several lines of text with their label. */
export const AreaField = ({ label, value, hint, ...rest }: FieldProps) => (
  <Labeled label={label} hint={hint}>
    {(attributes) => <textarea {...attributes} {...rest} defaultValue={value} rows={3} />}
  </Labeled>
);

interface SelectFieldProps extends Omit<FieldProps, 'placeholder' | 'required'> {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange?: (value: string) => void;
}

/** A choice with its label. */
export const SelectField = ({ label, name, value, hint, options, onChange }: SelectFieldProps) => (
  <Labeled label={label} hint={hint}>
    {(attributes) => (
      <select {...attributes} name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labeled>
);
