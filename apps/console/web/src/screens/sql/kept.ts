// What the screen keeps in the session storage, for one operator and one project. The sign-out removes it
// (session/session.ts).
import { useCallback, useEffect, useRef, useState } from 'react';

import { keptPrefix } from '../../session/session.js';

/**
 * A value that stays when the page is loaded again. `owner` names the operator and the project; `read` makes the value
 * from the stored text.
 */
export function useKept<Value>(
  owner: string,
  name: string,
  read: (text: string | null) => Value,
): readonly [Value, (change: (before: Value) => Value) => void] {
  const key = `${keptPrefix}${name}.${owner}`;
  const [value, setValue] = useState(() => read(window.sessionStorage.getItem(key)));
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else store(key, value);
  }, [key, value]);
  return [value, useCallback((change: (before: Value) => Value) => setValue(change), [])];
}

/** The storage of a tab has about 5 MB. If a value does not fit, the one before it stays there. */
function store(key: string, value: unknown): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
