/** The evidence is too thin for an answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** What would give the answer. */
  readonly settle: string;

  constructor(reason: string, settle: string) {
    super(reason);
    this.settle = settle;
  }
}
