import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Tabs } from '../../ui/tabs.js';
import { useKept } from '../project/kept.js';
import { useMay, useProject } from '../project/use-project.js';
import { ActivityTab } from './activity-tab.js';
import { Inspection } from './inspection.js';
import { InspectorTab } from './inspector-tab.js';
import { TablesTab } from './tables-tab.js';
import { useChangeSearch } from './use-change-search.js';
import { type Tab, tabs } from './words.js';

const tabNames: Readonly<Record<Tab, string>> = {
  inspector: 'Inspector',
  activity: 'Activity',
  tables: 'Tables',
};

/** What each tab reads. */
const paths: Readonly<Record<Tab, string>> = {
  inspector: 'channels',
  activity: 'refusals',
  tables: 'tables',
};

/** The channels of a project: who receives what, who was refused and why, and which tables are announced. */
export function RealtimePage(): ReactNode {
  const { name } = useProject();
  useTitle(`Realtime of ${name}`);
  if (!useMay('settings.manage')) {
    return (
      <p className="text-[14px] text-soft">
        Realtime is shown to operators who may manage settings.
      </p>
    );
  }
  return <Parts />;
}

function Parts(): ReactNode {
  const { ref } = useProject();
  const mayInspect = useMay('secrets.manage');
  const kept = useKept();
  const [inspection] = useState(() => (kept.inspection ??= new Inspection(ref)));
  const { tab } = useSearch({ from: '/signed-in/projects/$ref/realtime' });
  const change = useChangeSearch();
  const offered = tabs.filter((one) => one !== 'inspector' || mayInspect);
  const open = offered.find((one) => one === tab) ?? (mayInspect ? 'inspector' : 'activity');
  const content = (of: Tab): ReactNode => {
    switch (of) {
      case 'inspector':
        return <InspectorTab inspection={inspection} />;
      case 'activity':
        return <ActivityTab />;
      case 'tables':
        return <TablesTab />;
    }
  };
  return (
    <>
      <header className="flex items-start gap-3 pb-4">
        <div className="mr-auto min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold">Realtime</h1>
          <p className="text-[14px] text-soft">
            Changes of rows, messages and presence, as the clients of channels receive them.
          </p>
        </div>
        <CopyButton
          text={curlOf({
            path: projectPath(ref, `/api/admin/realtime/${paths[open]}`),
          })}
          what={`as curl: the ${paths[open]}`}
        >
          Copy as curl
        </CopyButton>
      </header>
      <Tabs
        label="Parts of realtime"
        open={tabNames[open]}
        onOpen={(shown) =>
          change({
            tab: offered.find((one) => tabNames[one] === shown),
            q: undefined,
            kind: undefined,
            page: undefined,
          })
        }
        tabs={offered.map((one) => ({ name: tabNames[one], content: content(one) }))}
      />
    </>
  );
}
