import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { useMay, useProject } from '../project/use-project.js';
import type { Tab } from './search.js';
import { twoConditions } from './table-state.js';
import { TablesTab } from './tables-tab.js';
import { TestsTab } from './tests-tab.js';
import { useChangeSearch } from './use-change-search.js';

const EditorDrawer = lazy(() => import('./editor-drawer.js'));
const LabTab = lazy(() => import('./lab-tab.js'));

const tabNames: Readonly<Record<Tab, string>> = { tables: 'Tables', lab: 'Lab', tests: 'Tests' };

/** The policies of a project: what each table lets whom do, the lab that tries them, and its tests. */
export function PoliciesPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Policies of ${name}`);
  const mayTry = useMay('content.write');
  const mayChange = useMay('secrets.manage') && mayTry;
  const search = useSearch({ from: '/signed-in/projects/$ref/policies' });
  const { tab = 'tables', edit, policy } = search;
  const change = useChangeSearch();
  const tabs: readonly Tab[] = mayTry ? ['tables', 'lab', 'tests'] : ['tables'];
  const content = (of: Tab): ReactNode => {
    switch (of) {
      case 'tables':
        return <TablesTab />;
      case 'lab':
        return <LabTab />;
      case 'tests':
        return <TestsTab />;
    }
  };
  const open = tabs.includes(tab) ? tab : 'tables';
  return (
    <>
      <header className="flex items-start gap-3 pb-4">
        <div className="mr-auto min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold">Policies</h1>
          <p className="text-[14px] text-soft">
            Policies decide which rows each caller reads and writes. {twoConditions}
          </p>
        </div>
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/policies') })}
          what="as curl: the policies"
        >
          Copy as curl
        </CopyButton>
      </header>
      <Tabs
        label="Parts of the policies"
        open={tabNames[open]}
        onOpen={(shown) => change({ tab: tabs.find((one) => tabNames[one] === shown) })}
        tabs={tabs.map((one) => ({
          name: tabNames[one],
          content: <Suspense fallback={<Waiting />}>{content(one)}</Suspense>,
        }))}
      />
      <Suspense>
        {mayChange && edit !== undefined && (
          <EditorDrawer
            key={`${edit} ${policy ?? ''}`}
            table={edit}
            policy={policy}
            onClose={() => change({ edit: undefined, policy: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-3 py-2">
      <Skeleton className="w-40" />
      <Skeleton className="w-64" />
    </div>
  );
}
