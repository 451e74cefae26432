import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';

import type { MenuEntry } from './menu-entry.js';
import { keepPlaces } from './places-to-return.js';

interface MenuPanelProps {
  readonly label: string;
  readonly title: string | undefined;
  readonly entries: readonly MenuEntry[];
  /** The button that opens the list, and has the focus again afterwards. */
  readonly button: RefObject<HTMLButtonElement | null>;
  /** Whether its first entry gets the focus; set to false as soon as it has it. */
  readonly isOpenedByKey: RefObject<boolean>;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const dialogs = '[role=dialog], [role=alertdialog]';

/** The list of a menu. What Radix takes for its trigger is a hidden element of the size of the button. */
export default function MenuPanel({
  label,
  title,
  entries,
  button,
  isOpenedByKey,
  isOpen,
  onOpenChange,
}: MenuPanelProps): ReactNode {
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </Radix.Trigger>
      {/* Within an open dialog, outside of which nothing is for screen readers; else within the landmark of the content. */}
      <Radix.Portal
        container={
          button.current?.closest<HTMLElement>(dialogs) ??
          document.querySelector<HTMLElement>('#content')
        }
      >
        <Radix.Content
          ref={(content) => keepPlaces(content, button.current ? [button.current] : [])}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          onInteractOutside={(event) => {
            // A click on the button closes the list by itself.
            const { target } = event;
            if (target instanceof Node && button.current?.contains(target) === true)
              event.preventDefault();
          }}
          onFocus={({ target, currentTarget }) => {
            // Radix sees only keys that are pressed while this part is loaded: often not the one that opened it.
            if (target !== currentTarget || !isOpenedByKey.current) return;
            isOpenedByKey.current = false;
            currentTarget
              .querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')
              ?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // An action may have opened a dialog, which has the focus now.
            const isOver = [...document.querySelectorAll(dialogs)].every((dialog) =>
              dialog.contains(button.current),
            );
            if (isOver) button.current?.focus();
          }}
          className="appear z-40 min-w-48 rounded-lg border border-line bg-surface p-1 text-[14px] shadow-float"
        >
          {title !== undefined && (
            <Radix.Label className="px-2.5 py-1.5 text-[13px] text-soft">{title}</Radix.Label>
          )}
          {entries.map((entry, index) =>
            entry === 'line' ? (
              <Radix.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
            ) : 'text' in entry ? (
              <Radix.Item key={index} disabled className="max-w-64 px-2.5 py-1.5 text-soft">
                {entry.text}
              </Radix.Item>
            ) : (
              <Radix.Item
                key={entry.name}
                onSelect={entry.run}
                className={`flex h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 outline-none data-highlighted:bg-hover [&_svg]:size-4 ${entry.isDangerous === true ? 'text-danger' : '[&_svg]:text-soft'}`}
              >
                {entry.icon}
                {entry.name}
              </Radix.Item>
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
