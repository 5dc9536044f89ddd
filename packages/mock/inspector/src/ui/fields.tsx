import type { TargetedInputEvent } from 'preact';
import { h } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { FieldProblems } from './form.tsx';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  /**
   * The type of an input; `area` for a text of several lines, `choice` for one of the options.
   * @default 'text'
   */
  readonly type?: 'text' | 'password' | 'url' | 'tel' | 'number' | 'search' | 'area' | 'choice';
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly min?: number;
  readonly max?: number;
  /** The values of a choice, or the suggestions for a text, with their labels. */
  readonly options?: readonly (readonly [value: string, label: string])[] | undefined;
  readonly onInput?: (text: string) => void;
}

/** The elements of the fields that are not inputs. */
const ELEMENTS: Readonly<Record<string, 'textarea' | 'select'>> = { area: 'textarea', choice: 'select' };

/** A field with its label, a hint, and its problem. */
export const Field = ({ label, type = 'text', value, hint, options, onInput, ...rest }: FieldProps) => {
  const id = useId();
  const problem = useContext(FieldProblems)[rest.name];
  const ids = Object.entries({ hint, problem }).flatMap(([part, text]) => (text ? [`${id}-${part}`] : []));
  const choices = options?.map(([option, text]) => (
    <option key={option} value={option} selected={type === 'choice' && option === value}>
      {text}
    </option>
  ));
  const element = ELEMENTS[type] ?? 'input';
  const attributes = {
    ...rest,
    ...(element === 'input' && { type, autocomplete: 'off' }),
    id,
    defaultValue: element === 'select' ? undefined : value,
    list: element === 'input' && choices ? `${id}-list` : undefined,
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : true,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onInput?.(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {h(element, attributes, element === 'select' ? choices : undefined)}
      {element === 'input' && choices && <datalist id={`${id}-list`}>{choices}</datalist>}
      {hint && (
        <p class="sub" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="sub" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
