import type { ReactNode } from 'react';

import { asProblem } from '../api/problem.js';
import { Button } from './button.js';
import { Notice } from './notice.js';
import { clockTime, inWords } from './time-in-words.js';

interface ProblemNoticeProps {
  readonly of: unknown;
  /** What the error means for the page. */
  readonly effect?: string;
  readonly onRetry?: () => void;
}

/** An error in words: what is wrong, when to try again, and the id under which the server has logged the request. */
export function ProblemNotice({ of, effect, onRetry }: ProblemNoticeProps): ReactNode {
  if (of === undefined || of === null) return null;
  const { message, code, requestId, retryAfterSeconds } = asProblem(of);
  return (
    <Notice kind="problem">
      {effect !== undefined && <p>{effect}</p>}
      <p>{code === 'ACCOUNT_LOCKED' ? lockedMessage(retryAfterSeconds) : message}</p>
      {code !== 'ACCOUNT_LOCKED' && retryAfterSeconds !== undefined && (
        <p>Try again in {inWords(retryAfterSeconds)}.</p>
      )}
      {requestId !== undefined && (
        <p className="mt-1 text-[12px]">
          Request <code className="break-all select-all">{requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button size="small" className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

function lockedMessage(seconds = 0): string {
  const clock = clockTime(Date.now() + seconds * 1000);
  return `Too many failed attempts: sign-in is locked for this account. Try again in ${inWords(seconds)}, at ${clock}. An administrator of the deployment can open it before.`;
}
