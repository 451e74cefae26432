import { useRouter } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';

import { Button } from './button.js';
import { keepPlaces, placesToReturn, returnTo } from './places-to-return.js';

const places = {
  center:
    'top-[8vh] left-1/2 max-h-[84vh] w-[calc(100vw-1.5rem)] max-w-lg -translate-x-1/2 rounded-xl border border-line',
  wide: 'top-[5vh] left-1/2 max-h-[90vh] w-[calc(100vw-1.5rem)] max-w-3xl -translate-x-1/2 rounded-xl border border-line',
  side: 'top-0 right-0 h-dvh w-full max-w-md border-l border-line',
  drawer: 'top-0 right-0 h-dvh w-full max-w-2xl border-l border-line',
} as const;

interface DialogProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly place?: keyof typeof places;
  /** It shows what is not shown again: its own buttons alone close it, and the first button that copies has the focus. */
  readonly mustConfirm?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open dialog; it is closed by not being rendered. Focus stays within it, and returns when it closes. */
export function Dialog({
  title,
  about,
  place = 'center',
  mustConfirm = false,
  role = 'dialog',
  onClose,
  children,
}: DialogProps): ReactNode {
  useStay(mustConfirm);
  const [openedFrom] = useState(placesToReturn);
  const keep = (event: Event): void => {
    if (mustConfirm) event.preventDefault();
  };
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 bg-veil" />
        <Radix.Content
          className={`appear fixed z-30 flex scroll-pb-16 flex-col overflow-y-auto bg-surface shadow-float focus:outline-none ${places[place]}`}
          ref={(content) => keepPlaces(content, openedFrom)}
          role={role}
          data-must-confirm={mustConfirm || undefined}
          onCloseAutoFocus={(event) => {
            // Radix gives the focus back to a button of its own alone.
            event.preventDefault();
            returnTo(openedFrom);
          }}
          onEscapeKeyDown={keep}
          onInteractOutside={keep}
          {...(mustConfirm
            ? { onOpenAutoFocus: focusCopy }
            : { onKeyDown: closeOnEscape(onClose) })}
          {...(about === undefined && { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 grow">
              <Radix.Title className="text-[17px] font-semibold break-words">{title}</Radix.Title>
              {about !== undefined && (
                <Radix.Description className="mt-0.5 text-[14px] text-soft">
                  {about}
                </Radix.Description>
              )}
            </div>
            {!mustConfirm && (
              <Radix.Close asChild>
                <Button look="quiet" size="icon" aria-label="Close" className="-mt-1 -mr-2">
                  <X aria-hidden className="size-4" />
                </Button>
              </Radix.Close>
            )}
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Keeps the page: the way back does nothing, and the browser asks before it leaves. */
function useStay(isWanted: boolean): void {
  const { history } = useRouter();
  useEffect(() => {
    if (!isWanted) return;
    return history.block({
      // The dialog's own button, and the end of a session, go forward.
      blockerFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE',
      enableBeforeUnload: true,
    });
  }, [history, isWanted]);
}

function focusCopy(event: Event): void {
  const { currentTarget } = event;
  const button =
    currentTarget instanceof Element
      ? currentTarget.querySelector<HTMLElement>('[data-copies]')
      : null;
  if (!button) return;
  event.preventDefault();
  button.focus();
}

/** Closes a dialog that Radix leaves open, because a message that came after it takes the key. */
export function closeOnEscape(onClose: () => void): (event: KeyboardEvent) => void {
  return ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) onClose();
  };
}

/** The content of a dialog above its buttons. */
export function DialogBody({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pb-5">{children}</div>;
}

/** The buttons of a dialog. */
export function DialogButtons({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <footer className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3">
      {children}
    </footer>
  );
}
