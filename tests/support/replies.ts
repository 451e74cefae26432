// What all clients of tests share: the header of a session, and reading replies.

/** The header of a session, an operator or a token. */
export function bearer(session: string | { readonly token: string }): {
  readonly authorization: string;
} {
  return { authorization: `Bearer ${typeof session === 'string' ? session : session.token}` };
}

/** A field of a JSON value, by path; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined,
    value,
  );
}

/** Like {@link at}, for what must be a text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`there is no text at ${path.join('.')}`);
  return found;
}
