import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { Button } from './button.js';
import { showToast } from './toast.js';

const shownMs = 2000;

/** Whether a text was copied a moment ago, and how to copy one. */
function useCopy(): readonly [isCopied: boolean, copy: (text: string) => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setCopied(false), shownMs);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, (text) => void copyText(text).then(() => setCopied(true), showCopyFailure)];
}

export function showCopyFailure(): void {
  showToast({ kind: 'failed', text: 'Copying failed. Select the text and press Ctrl-C.' });
}

/**
 * Copies a text; throws if the browser refuses. Browsers give pages the clipboard on HTTPS and on localhost alone;
 * elsewhere a selection is copied.
 */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  // Within an open dialog: its focus trap takes the focus from everything outside.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand('copy')) throw new Error('The browser refused to copy.');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the name of the button. */
  readonly what: string;
  readonly children?: ReactNode;
}

/** Copies a text. Without children it is an icon. */
export function CopyButton({ text, what, children }: CopyButtonProps): ReactNode {
  const [isCopied, copy] = useCopy();
  return (
    <>
      <Button
        look="quiet"
        size={children === undefined ? 'icon' : 'small'}
        aria-label={`Copy ${what}`}
        title={children === undefined ? `Copy ${what}` : undefined}
        data-copies
        onClick={() => copy(text)}
      >
        {isCopied ? (
          <Check aria-hidden className="size-4 text-good" />
        ) : (
          <Copy aria-hidden className="size-4" />
        )}
        {children !== undefined && <span className="max-sm:hidden">{children}</span>}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** A text that is made to be copied, with its label. */
export function CopyField({
  label,
  text,
}: {
  readonly label: string;
  readonly text: string;
}): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-[13px] font-semibold">{label}</p>
      <div className="flex items-center rounded-md border border-line bg-sunken">
        <code
          className="min-w-0 grow px-3 py-2 text-[13px] break-all select-all"
          tabIndex={0}
          role="textbox"
          aria-readonly
          aria-label={label}
        >
          {text}
        </code>
        <CopyButton text={text} what={label} />
      </div>
    </div>
  );
}
