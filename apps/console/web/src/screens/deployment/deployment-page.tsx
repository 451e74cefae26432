import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { useOperator } from '../../session/operator.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { EnvironmentTab } from './environment-tab.js';
import { workQueryOf } from './queries.js';
import { OverviewTab } from './overview-tab.js';
import { type Tab, tabs, useChangeSearch, useDeploymentSearch, type WorkState } from './search.js';
import { WorkTab } from './work-tab.js';

const tabNames: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  work: 'Work',
  environment: 'Environment',
};

/** The deployment as a whole: its versions and parts, the work on projects, and its environment. */
export function DeploymentPage(): ReactNode {
  useTitle('Deployment');
  const { data, error } = useOperator();
  const { tab, state } = useDeploymentSearch();
  const isAdmin = data?.operator.isDeploymentAdmin;
  return (
    <div className="max-w-7xl">
      <header className="flex items-start gap-3 pb-4">
        <div className="mr-auto min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold">Deployment</h1>
          <p className="text-[14px] text-soft">
            What serves all projects: processes, database server, disk and settings.
          </p>
        </div>
        {isAdmin === true && (
          <CopyButton text={curlOf({ path: pathOf(tab, state) })} what="as curl: this page">
            Copy as curl
          </CopyButton>
        )}
      </header>
      {!data && <ProblemNotice of={error} />}
      {!data && !error && (
        <div role="group" aria-busy aria-label="Loading">
          <Skeleton className="w-56" />
        </div>
      )}
      {isAdmin === false && (
        <Notice kind="plain">
          The deployment is shown to its administrators. Ask one of them, or look at the home of a
          project for its own state.
        </Notice>
      )}
      {isAdmin === true && <Parts open={tab} />}
    </div>
  );
}

function Parts({ open }: { readonly open: Tab }): ReactNode {
  const change = useChangeSearch();
  const content = (tab: Tab): ReactNode => {
    switch (tab) {
      case 'overview':
        return <OverviewTab />;
      case 'work':
        return <WorkTab />;
      case 'environment':
        return <EnvironmentTab />;
    }
  };
  return (
    <Tabs
      label="Parts of the deployment"
      open={tabNames[open]}
      onOpen={(name) => {
        const tab = tabs.find((one) => tabNames[one] === name);
        change({ tab: tab === 'overview' ? undefined : tab });
      }}
      tabs={tabs.map((tab) => ({ name: tabNames[tab], content: content(tab) }))}
    />
  );
}

function pathOf(tab: Tab, state: WorkState | undefined): string {
  switch (tab) {
    case 'overview':
      return '/platform/deployment';
    case 'work': {
      const query = Object.entries(workQueryOf(state)).map(([name, value]) => `${name}=${value}`);
      return `/platform/operations?${query.join('&')}`;
    }
    case 'environment':
      return '/platform/deployment/environment';
  }
}
