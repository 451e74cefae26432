// What a screen leaves open while its project is open: it is there when the screen is opened again.
import { createContext, useContext } from 'react';

import type { Inspection } from '../realtime/inspection.js';

export class KeptOfProject {
  /** The listeners of the screen “Realtime”. */
  inspection: Inspection | undefined;

  /** Closes it, and returns how many listeners have left with it. */
  close(): number {
    const { inspection } = this;
    this.inspection = undefined;
    inspection?.close();
    return inspection?.view().listeners.length ?? 0;
  }
}

const KeptContext = createContext<KeptOfProject | undefined>(undefined);

export const KeptProvider = KeptContext.Provider;

export function useKept(): KeptOfProject {
  const kept = useContext(KeptContext);
  if (!kept) throw new Error('no screen of a project is open');
  return kept;
}
