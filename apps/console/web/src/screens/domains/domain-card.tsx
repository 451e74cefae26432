import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useOperator } from '../../session/operator.js';
import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { DnsPart } from './dns-part.js';
import { type Domain, verifyDomain } from './queries.js';
import { RemoveDialog } from './remove-dialog.js';
import { useDomainChange } from './use-domain-change.js';
import { VouchDialog } from './vouch-dialog.js';

const proofs: Readonly<Record<string, string>> = {
  dns: 'proven by its TXT record',
  operator: 'on the word of an administrator',
  migration: 'from before claims were checked',
};

/** A domain of the project: its state, what DNS says of it, and what can be done. */
export function DomainCard({ domain: claim }: { readonly domain: Domain }): ReactNode {
  const { domain, unicode, state, proof, createdAt, verifiedAt } = claim;
  const mayManage = useMay('projects.manage');
  const { data } = useOperator();
  const [dialog, setDialog] = useState<'remove' | 'vouch'>();
  const verifying = useDomainChange(verifyDomain, (checked) => {
    if (checked.state === 'verified') {
      showToast({ kind: 'done', text: `${unicode} is verified: the project is served there.` });
    }
  });
  const isVerified = state === 'verified';
  return (
    <section
      aria-label={`Domain ${unicode}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 text-[15px] font-semibold break-all">{unicode}</h3>
        <span
          className={`rounded-sm px-1.5 text-[12px] font-medium ${isVerified ? 'bg-good-soft text-good' : 'bg-warn-soft text-warn'}`}
        >
          {state}
        </span>
        {mayManage && (
          <span className="ml-auto flex flex-wrap gap-1.5">
            {!isVerified && (
              <Button
                size="small"
                look="primary"
                busy={verifying.isPending}
                aria-label={`Verify now: ${unicode}`}
                onClick={() => verifying.mutate(domain)}
              >
                Verify now
              </Button>
            )}
            {!isVerified && data?.operator.isDeploymentAdmin === true && (
              <Button
                size="small"
                aria-label={`Vouch for ${unicode}`}
                onClick={() => setDialog('vouch')}
              >
                Vouch
              </Button>
            )}
            <Button
              size="small"
              aria-label={`Remove ${unicode}`}
              onClick={() => setDialog('remove')}
            >
              Remove
            </Button>
          </span>
        )}
      </header>
      <p className="text-[13px] text-soft">
        {domain !== unicode && (
          <>
            <code className="break-all">{domain}</code> ·{' '}
          </>
        )}
        {verifiedAt === null ? (
          <>
            claimed <Time at={createdAt} /> · nothing is served under it before it is verified
          </>
        ) : (
          <>
            verified <Time at={verifiedAt} />, {proofs[proof ?? ''] ?? 'by an unknown proof'}
          </>
        )}
      </p>
      <ProblemNotice of={verifying.error} />
      {verifying.data?.lookup && !isVerified && (
        <p role="status" className="text-[14px] text-warn">
          {verifying.data.lookup.reason}.
        </p>
      )}
      <DnsPart domain={domain} isVerified={isVerified} isVouched={proof === 'operator'} />
      {isVerified && <NextSteps of={unicode} />}
      {dialog === 'remove' && <RemoveDialog domain={claim} onClose={() => setDialog(undefined)} />}
      {dialog === 'vouch' && <VouchDialog domain={claim} onClose={() => setDialog(undefined)} />}
    </section>
  );
}

/** What a verified domain needs outside of this page. */
function NextSteps({ of: domain }: { readonly of: string }): ReactNode {
  const { ref } = useProject();
  const maySeeSettings = useMay('settings.manage');
  const mayChange = useMay('secrets.manage') && maySeeSettings;
  return (
    <p className="text-[13px] text-soft">
      The proxy needs a certificate for {domain}. If sign-ins lead back there, it belongs in the{' '}
      {mayChange ? (
        <Link
          to="/projects/$ref/settings/$part"
          params={{ ref, part: 'auth.urls' }}
          className="text-accent underline underline-offset-2"
        >
          URL configuration
        </Link>
      ) : (
        'URL configuration'
      )}
      .
    </p>
  );
}
