import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { WaitingPanels } from '../../ui/waiting-panels.js';
import { useMay, useProject } from '../project/use-project.js';
import { AddDialog } from './add-dialog.js';
import { DnsPart } from './dns-part.js';
import { DomainCard } from './domain-card.js';
import { OriginsPanel } from './origins-panel.js';
import { liveDomainsQuery, originsQuery } from './queries.js';

/** The host names by which the project is reached, and the origins whose pages may use cookies. */
export function DomainsPage(): ReactNode {
  const { ref, name, url } = useProject();
  useTitle(`Domains of ${name}`);
  const mayManage = useMay('projects.manage');
  const maySeeOrigins = useMay('secrets.manage');
  const { origin } = useSearch({ from: '/signed-in/projects/$ref/domains' });
  const domains = useQuery(liveDomainsQuery(ref));
  const origins = useQuery({ ...originsQuery(ref, origin), enabled: maySeeOrigins });
  // Both at once: the list of domains moves no origin.
  const isWaiting = domains.isLoading || origins.isLoading;
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <header className="flex items-start gap-3 pb-4">
        <div className="mr-auto min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold">Domains and CORS</h1>
          <p className="text-[14px] text-soft">
            The host names that lead to the project, and the pages that may call it.
          </p>
        </div>
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/domains') })}
          what="as curl: the domains"
        >
          Copy as curl
        </CopyButton>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Panel title="Host name of the project">
          <CopyField label="URL" text={url} />
          <DnsPart domain={new URL(url).hostname} isVerified />
        </Panel>
        {isWaiting ? (
          <WaitingPanels count={2} height="h-48" />
        ) : (
          <>
            <Panel
              title="Domains of its own"
              side={
                mayManage && (
                  <Button onClick={() => setAdding(true)}>
                    <Plus aria-hidden className="size-4" />
                    Add a domain
                  </Button>
                )
              }
            >
              <Domains />
            </Panel>
            {maySeeOrigins && <OriginsPanel />}
          </>
        )}
      </div>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function Domains(): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useQuery(liveDomainsQuery(ref));
  if (!data) return <ProblemNotice of={error} onRetry={() => void refetch()} />;
  if (data.domains.length === 0)
    return (
      <div className="grid justify-items-start gap-1.5 text-[14px]">
        <Globe aria-hidden className="size-6 text-soft" />
        <p>The project has no domain of its own.</p>
        <p className="max-w-prose text-soft">
          With one, apps call a name such as <code>api.example.org</code>. Add it here, then make
          two records where its DNS is kept: a TXT record as the proof, and an address record that
          leads to this deployment.
        </p>
      </div>
    );
  return (
    <div>
      <ProblemNotice of={error} effect="The list could not be refreshed." />
      {data.domains.map((domain) => (
        <DomainCard key={domain.domain} domain={domain} />
      ))}
    </div>
  );
}
