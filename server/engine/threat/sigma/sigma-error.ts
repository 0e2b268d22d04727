/** A rule that cannot be used, said so that its author can mend it. Never carries log text. */
export class SigmaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SigmaError';
  }
}
