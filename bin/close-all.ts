/** Closes an opened resource. */
export type Close = () => Promise<void>;

/**
 * Closes everything and empties the list: what was opened last is closed first. A part that cannot be closed leaves no
 * other open; its error is thrown at the end.
 */
export async function closeAll(closings: Close[]): Promise<void> {
  const errors: unknown[] = [];
  // One after the other: a part needs those that were opened before it.
  for (const close of closings.splice(0).reverse()) {
    await close().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
