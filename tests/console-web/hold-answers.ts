/** For routes that answer later: `held` waits until `release` is called. */
export function holdAnswers() {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release: () => release() };
}
