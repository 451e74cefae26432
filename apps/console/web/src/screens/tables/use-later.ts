import { useCallback, useEffect, useRef } from 'react';

/** Does the last of several things, once none has come for a while. */
export function useLater(ms: number): (run: () => void) => void {
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(
    (run) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(run, ms);
    },
    [ms],
  );
}
