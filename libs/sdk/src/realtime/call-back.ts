/** Calls a callback of the app. An error in it must not affect other callbacks. */
export async function callBack<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  ...args: Args
): Promise<void> {
  try {
    await callback(...args);
  } catch (thrown) {
    console.error('A callback of a channel failed', thrown);
  }
}
