/** A difference between the service and the contract. */
export interface Drift {
  /** The operation, or the method and path when the contract has none. */
  readonly operation: string;
  readonly side: 'request' | 'response';
  /** Where it is: `body.data[].phone`. Positions in arrays are left out, because each row has the same drift. */
  readonly path: string;
  /** What the contract expects, and the type of what is there. The value itself may be personal. */
  readonly message: string;
}

/** One line for a drift. */
export const driftText = ({ operation, side, path, message }: Drift): string =>
  `${operation} ${side}: ${path} ${message}`;
