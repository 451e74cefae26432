/** A command cannot do its work. The message is one line for the person who runs it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
