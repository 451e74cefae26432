// A button with a list of actions. The list is loaded when a pointer or the focus comes to the first such button: a
// page is usable without it.
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

import { Button } from './button.js';
import type { MenuEntry } from './menu-entry.js';

const loadPanel = () => import('./menu-panel.js');
const MenuPanel = lazy(loadPanel);

interface MenuProps {
  /** The name of the button and of the list. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly title?: string | undefined;
  readonly entries: readonly MenuEntry[];
  /** A pointer or the focus has come to the button. */
  readonly onApproach?: () => void;
}

export function Menu({ label, icon, title, entries, onApproach }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const isOpenedByKey = useRef(false);
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const approach = (): void => {
    void loadPanel();
    setLoaded(true);
    onApproach?.();
  };
  return (
    <span className="relative inline-flex">
      <Button
        ref={button}
        look="quiet"
        size="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={approach}
        onFocus={approach}
        onClick={(event) => {
          // A click that a key made has no number.
          isOpenedByKey.current = event.detail === 0;
          setOpen(!isOpen);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          isOpenedByKey.current = true;
          setOpen(true);
        }}
      >
        {icon}
      </Button>
      {isLoaded && (
        <Suspense>
          <MenuPanel
            label={label}
            title={title}
            entries={entries}
            button={button}
            isOpenedByKey={isOpenedByKey}
            isOpen={isOpen}
            onOpenChange={setOpen}
          />
        </Suspense>
      )}
    </span>
  );
}
