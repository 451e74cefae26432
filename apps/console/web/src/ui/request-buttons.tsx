import type { ReactNode } from 'react';

import { type CurlRequest, curlOf } from '../api/curl.js';
import { Button } from './button.js';
import { CopyButton } from './copy.js';
import { DialogButtons } from './dialog.js';

interface RequestButtonsProps {
  /** What the dialog sends. */
  readonly request: CurlRequest;
  /** What the command is, for the name of its button. */
  readonly what?: string;
  readonly look?: 'primary' | 'danger';
  /** Whether there is something to send. */
  readonly isReady?: boolean;
  readonly busy: boolean;
  readonly onCancel: () => void;
  /** Absent within a form, which the button submits. */
  readonly onSend?: () => void;
  /** The words of the button that sends. */
  readonly children: ReactNode;
}

/** The buttons of a dialog that sends one request: its command, the way out, and the button that sends. */
export function RequestButtons({
  request,
  what = 'the request',
  look = 'primary',
  isReady = true,
  busy,
  onCancel,
  onSend,
  children,
}: RequestButtonsProps): ReactNode {
  return (
    <DialogButtons>
      <span className="mr-auto">
        <CopyButton text={curlOf(request)} what={`as curl: ${what}`}>
          Copy as curl
        </CopyButton>
      </span>
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type={onSend ? 'button' : 'submit'}
        look={look}
        disabled={!isReady}
        busy={busy}
        {...(onSend && { onClick: onSend })}
      >
        {children}
      </Button>
    </DialogButtons>
  );
}
