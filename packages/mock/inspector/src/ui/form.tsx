import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/call.ts';
import { Problem } from './view.tsx';

/** The texts of the fields that are not empty, by their names. */
export type Texts = Readonly<Record<string, string>>;

/** The problems of a form, by the names of their fields. A problem without a field has an empty name. */
type Problems = Readonly<Record<string, string>>;

/** The problems of the form that a field is in. */
export const FieldProblems = createContext<Problems>({});

/**
 * The value of a field that holds JSON; `undefined` if it is empty.
 *
 * @throws An {@link Error} when it isn't JSON.
 */
export const jsonIn = (texts: Texts, field: string): unknown => {
  const { [field]: text = '' } = texts;
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw new Error(`\`${field}\` is not JSON: ${messageOf(error)}`);
  }
};

/** An element that a user fills in. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields of a form that have a name. */
const fieldsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter((element): element is Control => 'validity' in element && 'name' in element);

const textsOf = (form: HTMLFormElement): Texts =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]).filter(([, text]) => text !== ''),
  );

/** Returns the problems that the browser finds. */
const findInvalid = (form: HTMLFormElement): Problems =>
  Object.fromEntries(
    fieldsOf(form)
      .filter(({ validity }) => !validity.valid)
      .map(({ name, validationMessage }) => [name, validationMessage]),
  );

/** Places an error at the first field that its message names (“`fault.status` must be …”), otherwise below all fields. */
const placeError = (error: unknown, form: HTMLFormElement): Problems => {
  const message = messageOf(error);
  const names = fieldsOf(form).map(({ name }) => name);
  return { [message.match(/[A-Za-z]\w*/g)?.find((word) => names.includes(word)) ?? '']: message };
};

/** Sends the form on Enter, even in a text of several lines, where Shift+Enter starts a new line. */
const sendOnEnter = (event: TargetedKeyboardEvent<HTMLFormElement>): void => {
  // Enter also ends the composition of a character, after which Safari sends this code.
  const composing = event.isComposing || event.keyCode === 229;
  if (event.key === 'Enter' && !event.shiftKey && !composing && event.target instanceof HTMLTextAreaElement) {
    event.preventDefault();
    event.currentTarget.requestSubmit();
  }
};

export interface FormProps {
  readonly submit: string;
  /** Called with the texts. If it throws, the form shows why. */
  readonly onSubmit: (texts: Texts, form: HTMLFormElement) => Promise<unknown>;
  readonly children: ComponentChildren;
  /** Further buttons. */
  readonly actions?: ComponentChildren;
}

/** A form that is sent once at a time, and shows each problem at its field. */
export const Form = ({ submit, onSubmit, children, actions }: FormProps) => {
  const [problems, setProblems] = useState<Problems>({});
  const element = useRef<HTMLFormElement>(null);
  // A ref, because a second click may come before the next rendering.
  const busy = useRef(false);
  const send = async (form: HTMLFormElement): Promise<void> => {
    const invalid = findInvalid(form);
    setProblems(invalid);
    if (busy.current || Object.keys(invalid).length > 0) {
      return;
    }
    busy.current = true;
    try {
      await onSubmit(textsOf(form), form);
    } catch (error) {
      setProblems(placeError(error, form));
    }
    busy.current = false;
  };
  useEffect(() => element.current?.querySelector<Control>('[aria-invalid]')?.focus(), [problems]);
  return (
    <form
      ref={element}
      class="form"
      noValidate
      onKeyDown={sendOnEnter}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <FieldProblems.Provider value={problems}>{children}</FieldProblems.Provider>
      <Problem text={problems['']} />
      <div class="tools">
        <button type="submit" class="primary">
          {submit}
        </button>
        {actions}
      </div>
    </form>
  );
};
