/** A command cannot do its work. The message is one line for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
