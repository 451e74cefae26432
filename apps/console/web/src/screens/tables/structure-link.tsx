import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';

interface StructureLinkProps {
  /** The table whose structure is opened; all of them if it is left out. */
  readonly table?: string;
  readonly children: ReactNode;
}

/** The way to the screen that makes and changes tables. */
export function StructureLink({ table, children }: StructureLinkProps): ReactNode {
  const { ref } = useProject();
  return (
    <Link
      to="/projects/$ref/structure"
      params={{ ref }}
      search={{ table }}
      className="inline-flex h-9 shrink-0 items-center gap-2 rounded-md border border-line-strong/60 bg-surface px-3.5 font-medium whitespace-nowrap shadow-lift hover:bg-hover"
    >
      {children}
    </Link>
  );
}
