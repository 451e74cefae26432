import { type ReactNode } from 'react';

import { useOperator } from '../../session/operator.js';
import { useTitle } from '../../shell/card.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay, useProject } from '../project/use-project.js';
import { Workbench } from './workbench.js';

/** SQL on the database of the project. */
export function SqlPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`SQL – ${name}`);
  const isOwner = useMay('secrets.manage');
  const { data: session, error } = useOperator();
  if (!session) {
    return error ? (
      <ProblemNotice of={error} />
    ) : (
      <div role="group" aria-busy aria-label="Loading" className="grid gap-4">
        <Skeleton className="w-40" />
        <div className="h-64 rounded-md border border-line bg-surface" />
      </div>
    );
  }
  const owner = `${ref}.${session.operator.id}`;
  // Texts belong to one operator and one project.
  return <Workbench key={owner} owner={owner} projectRef={ref} isOwner={isOwner} />;
}
