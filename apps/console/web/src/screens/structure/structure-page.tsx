import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { Tabs } from '../../ui/tabs.js';
import { useMay, useProject } from '../project/use-project.js';
import { EnumsPage } from './enums-page.js';
import { FunctionsPage } from './functions-page.js';
import type { StructureSearch } from './search.js';
import { TablesTab } from './tables-tab.js';
import { useLackingForChanges } from './use-structure.js';

const tabNames = { tables: 'Tables', enums: 'Enums', functions: 'Functions' } as const;

/** What the database of a project is made of: tables with their parts, enums and functions. */
export function StructurePage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Structure of ${name}`);
  const search = useSearch({ from: '/signed-in/projects/$ref/structure' });
  const navigate = useNavigate({ from: '/projects/$ref/structure' });
  const mayRead = useMay('content.read');
  const go = (next: StructureSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), resetScroll: false });
  if (!mayRead)
    return <Notice kind="plain">The structure is for operators with content.read.</Notice>;
  const open = search.part === 'enums' || search.part === 'functions' ? search.part : 'tables';
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-4">
        <h1 className="mr-auto text-[22px] leading-tight font-semibold">Structure</h1>
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/schema') })}
          what="as curl: the schema"
        >
          Copy as curl
        </CopyButton>
      </header>
      <LackingNotice />
      <Tabs
        label="Parts of the structure"
        open={tabNames[open]}
        onOpen={(opened) =>
          go({
            part: opened === 'Enums' ? 'enums' : opened === 'Functions' ? 'functions' : undefined,
          })
        }
        tabs={[
          { name: tabNames.tables, content: <TablesTab search={search} onSearch={go} /> },
          { name: tabNames.enums, content: <EnumsPage /> },
          { name: tabNames.functions, content: <FunctionsPage /> },
        ]}
      />
    </>
  );
}

/** Why nothing can be changed here. */
function LackingNotice(): ReactNode {
  const lacking = useLackingForChanges();
  if (lacking.length === 0) return null;
  return (
    <div className="pb-4">
      <Notice kind="plain">
        You can look at the structure. To change it you need the capability {lacking.join(' and ')},
        because SQL that changes it runs with the rights of the owner of the project.
      </Notice>
    </div>
  );
}
