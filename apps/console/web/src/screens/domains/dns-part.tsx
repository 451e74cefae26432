import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import {
  addressVerdict,
  foundAddress,
  foundTexts,
  txtVerdict,
  wantedAddress,
} from './dns-words.js';
import { type DnsReport, dnsQuery } from './queries.js';
import { RecordCheck } from './record-check.js';

interface DnsPartProps {
  readonly domain: string;
  readonly isVerified: boolean;
  /** An administrator has vouched: no TXT record is needed. */
  readonly isVouched?: boolean;
}

/** What DNS says of a host name against what it should say. */
export function DnsPart({ domain, isVerified, isVouched = false }: DnsPartProps): ReactNode {
  const { ref } = useProject();
  const { data, error, isFetching, refetch } = useQuery(dnsQuery(ref, domain));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {error && <ProblemNotice of={error} effect="DNS could not be compared." />}
      {!data && !error && <Waiting />}
      {data && <Records of={data} isVerified={isVerified} isVouched={isVouched} />}
      <p className="flex flex-wrap items-center gap-2 text-[13px] text-soft">
        <Button
          size="small"
          busy={isFetching}
          aria-label={`Check again: DNS of ${domain}`}
          onClick={() => void refetch()}
        >
          <RefreshCw aria-hidden className="size-3.5" />
          Check again
        </Button>
        {data && (
          <span>
            Checked <Time at={data.checkedAt} />
          </span>
        )}
      </p>
    </div>
  );
}

interface RecordsProps {
  readonly of: DnsReport;
  readonly isVerified: boolean;
  readonly isVouched: boolean;
}

function Records({ of: { claim, address }, isVerified, isVouched }: RecordsProps): ReactNode {
  return (
    <>
      {claim && !isVouched && (
        <RecordCheck
          title="Proof"
          type="TXT"
          name={claim.name}
          verdict={txtVerdict(claim, isVerified)}
          wanted={[claim.expected]}
          value={claim.expected}
          found={foundTexts(claim)}
        />
      )}
      <RecordCheck
        title="Address"
        type={claim ? 'CNAME, A or AAAA' : 'A or AAAA'}
        name={address.name}
        verdict={addressVerdict(address)}
        wanted={wantedAddress(address)}
        found={foundAddress(address)}
      />
    </>
  );
}

/** As high as a record. */
function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line px-3 py-2.5 text-[13px] text-soft"
    >
      <p>
        <Skeleton className="w-56" />
      </p>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {['It should say', 'DNS says'].map((title) => (
          <div key={title}>
            <p>{title}</p>
            <p className="min-h-[2lh]">
              <Skeleton className="w-40" />
            </p>
          </div>
        ))}
      </div>
      <p>
        <Skeleton className="w-64" />
      </p>
    </div>
  );
}
