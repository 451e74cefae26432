import type { ReactNode } from 'react';

import { asProblem } from '../../api/problem.js';
import { ProblemNotice } from '../../ui/problem-notice.js';

/** What a refusal of the server means here. */
const meanings: Readonly<Record<string, string>> = {
  LAST_OWNER:
    'Nothing was changed. This is the last active owner of the organization: make another operator an owner first.',
  LAST_DEPLOYMENT_ADMIN:
    'Nothing was changed. This is the last active administrator of the deployment: make another one first.',
  CAPABILITY_REQUIRED:
    'Nothing was changed. You can give and take only what you may do yourself in the organization.',
  OPERATOR_NOT_FOUND:
    'Nothing was changed. The operator is no member of the organization: send an invitation.',
  MEMBERSHIP_NOT_FOUND: 'Nothing was changed. Another operator has ended this role meanwhile.',
  CONFLICT: 'Nothing was changed.',
};

/** An error with what it means for members and roles. */
export function Refusal({ of }: { readonly of: unknown }): ReactNode {
  if (of === undefined || of === null) return null;
  const { code, hint } = asProblem(of);
  const effect = [meanings[code], hint].filter(Boolean).join(' ');
  return <ProblemNotice of={of} {...(effect !== '' && { effect })} />;
}
