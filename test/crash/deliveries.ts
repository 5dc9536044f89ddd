/** `fine` succeeds, `flaky` fails twice before it succeeds, and `poison` always fails. */
export type Kind = 'fine' | 'flaky' | 'poison';

/** A delivery that the sender has to get through. */
export interface SampleDelivery {
  readonly id: string;
  readonly kind: Kind;
  /** The sender delivers it once more, some time after it was accepted. */
  readonly duplicate: boolean;
  /** The text of the message, which tells the processes under test what to do: `flaky d7`. */
  readonly body: string;
}

/** The end of the text of deliveries that the queue runs twice. */
export const TWICE = 'twice';

/** Creates the deliveries of a run: 5 % are poison, 10 % flaky. 30 % are sent twice, and the queue runs 20 % twice. */
export const createDeliveries = (count: number): SampleDelivery[] =>
  Array.from({ length: count }, (_, index) => {
    const id = `d${index}`;
    const fraction = Math.random();
    const kind = fraction < 0.05 ? 'poison' : fraction < 0.15 ? 'flaky' : 'fine';
    // Each copy of a poisonous job would be a dead letter.
    const twice = Math.random() < 0.2 && kind !== 'poison';
    const body = twice ? `${kind} ${id} ${TWICE}` : `${kind} ${id}`;
    return { id, kind, duplicate: Math.random() < 0.3, body };
  });
