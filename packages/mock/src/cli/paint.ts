import { styleText } from 'node:util';

type Color = 'green' | 'cyan' | 'yellow' | 'red' | 'dim';

/** Colors a text for a terminal. */
export type Paint = (color: Color, text: string) => string;

/** Colors texts if a stream is a terminal, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. */
export const paintFor =
  (stream: NodeJS.WriteStream): Paint =>
  (color, text) =>
    styleText(color, text, { stream });

/** Leaves texts as they are. */
export const plain: Paint = (_, text) => text;

/** The color of a status: red for an error of the service, or when there was no response. */
export const colorOf = (status: number | undefined): Color => {
  if (status === undefined || status >= 500) {
    return 'red';
  }
  return status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green';
};
