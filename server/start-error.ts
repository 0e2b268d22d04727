/** An obstacle to the start, in one line for the person at this machine; the command ends with code 1. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
