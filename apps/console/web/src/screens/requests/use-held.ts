import { useState } from 'react';

import { keyOf, type RecentRequest } from './recent.js';

interface HeldList {
  readonly shown: readonly RecentRequest[];
  /** What was added meanwhile, the newest first. */
  readonly missed: readonly RecentRequest[];
  /** Shows what was added, and holds from there. */
  readonly renew: () => void;
}

/** The list as it was when `isHeld` began: lines do not move under the pointer of a reader. */
export function useHeld(latest: readonly RecentRequest[], isHeld: boolean): HeldList {
  const [held, setHeld] = useState<readonly RecentRequest[]>();
  if (isHeld && held === undefined) setHeld(latest);
  if (!isHeld && held !== undefined) setHeld(undefined);
  const shown = (isHeld && held) || latest;
  return {
    shown,
    missed: newerThan(shown, latest),
    renew: () => setHeld(isHeld ? latest : undefined),
  };
}

function newerThan(
  shown: readonly RecentRequest[],
  latest: readonly RecentRequest[],
): readonly RecentRequest[] {
  const [first] = shown;
  if (shown === latest || first === undefined) return shown === latest ? [] : latest;
  const key = keyOf(first);
  const at = latest.findIndex((request) => keyOf(request) === key);
  return at < 0 ? latest : latest.slice(0, at);
}
