import type { ReactNode } from 'react';

import { useOperator } from '../../session/operator.js';
import { useTitle } from '../../shell/card.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CopyButton } from '../../ui/copy.js';
import { curlOf } from '../../api/curl.js';
import { isStudio } from '../../api/place.js';
import { DevicesSection } from './devices-section.js';
import { PasswordSection } from './password-section.js';
import { SecondFactorSection } from './second-factor-section.js';
import { SessionsSection } from './sessions-section.js';

/** The account of the operator: password, second factor, trusted devices, sessions. The studio has the first two. */
export function AccountPage(): ReactNode {
  useTitle('Account');
  const { data, error } = useOperator();
  const operator = data?.operator;
  return (
    <div className="max-w-7xl">
      <header className="flex items-start gap-3 pb-6">
        <div className="min-w-0 grow">
          <h1 className="text-[22px] leading-tight font-semibold">Account and security</h1>
          <p className="mt-1 min-h-6 text-soft">
            {operator ? (
              <>
                {operator.name === operator.email || operator.name === ''
                  ? operator.email
                  : `${operator.name} · ${operator.email}`}
                {operator.isDeploymentAdmin && ' · administrator of the deployment'}
              </>
            ) : (
              !error && <Skeleton className="w-56" />
            )}
          </p>
        </div>
        <CopyButton
          text={curlOf({ path: isStudio() ? '/admin/session' : '/auth/get-session' })}
          what="as curl: this page"
        >
          Copy as curl
        </CopyButton>
      </header>
      {error && !data ? (
        <ProblemNotice of={error} />
      ) : (
        <SecondFactorSection isOn={operator?.twoFactorEnabled} />
      )}
      <PasswordSection />
      {!isStudio() && (
        <>
          <DevicesSection />
          <SessionsSection />
        </>
      )}
    </div>
  );
}
