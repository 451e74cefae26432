// Where the short messages appear, at the edge of the page.
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

import { Button } from './button.js';
import { closeToast, useToasts } from './toast.js';

/** What was done is shown this long; what failed until it is closed. */
const shownMs = 8000;

/** Once in the page. */
export function Toasts(): ReactNode {
  const shown = useToasts();
  return (
    <Radix.Provider swipeDirection="left" label="Message">
      {shown.map(({ id, text, kind, undo }) => (
        <Radix.Root
          key={id}
          duration={kind === 'failed' ? Infinity : shownMs}
          type={kind === 'failed' ? 'foreground' : 'background'}
          onOpenChange={(isOpen) => !isOpen && closeToast(id)}
          className="appear flex items-center gap-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 text-[14px] shadow-float"
        >
          <Radix.Description
            className={`min-w-0 grow break-words ${kind === 'failed' ? 'text-danger' : ''}`}
          >
            {text}
          </Radix.Description>
          {undo && (
            <Radix.Action asChild altText={undo.label}>
              <Button size="small" onClick={undo.run}>
                {undo.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <Button look="quiet" size="small" aria-label="Close the message">
              <X aria-hidden className="size-4" />
            </Button>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed left-3 z-50 grid w-[calc(100vw-1.5rem)] max-w-md gap-2 outline-none max-sm:top-3 sm:bottom-3" />
    </Radix.Provider>
  );
}
