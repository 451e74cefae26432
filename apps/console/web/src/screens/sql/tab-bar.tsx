import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { isChanged, type SqlTab } from './tabs.js';

interface TabBarProps {
  readonly tabs: readonly SqlTab[];
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onClose: (id: string) => void;
  readonly onRename: (tab: SqlTab, name: string) => void;
  readonly onAdd: () => void;
}

/** The open texts. The arrow keys go from tab to tab, F2 renames one, Delete closes it. */
export function TabBar({ tabs, openId, onOpen, onClose, onRename, onAdd }: TabBarProps): ReactNode {
  const [renaming, setRenaming] = useState<string>();
  const go = (event: KeyboardEvent<HTMLElement>, tab: SqlTab): void => {
    const place = tabs.findIndex(({ id }) => id === tab.id);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = tabs[(place + step + tabs.length) % tabs.length];
      if (!next) return;
      onOpen(next.id);
      document.getElementById(domId(next.id))?.focus();
    } else if (event.key === 'F2') setRenaming(tab.id);
    else if (event.key === 'Delete') onClose(tab.id);
  };
  return (
    <div className="flex items-center gap-1 border-b border-line">
      <div role="tablist" aria-label="Open queries" className="flex min-w-0 gap-1 overflow-x-auto">
        {tabs.map((tab) =>
          tab.id === renaming ? (
            <NameField
              key={tab.id}
              name={tab.name}
              onDone={(name) => {
                setRenaming(undefined);
                if (name !== undefined) onRename(tab, name);
              }}
            />
          ) : (
            <button
              key={tab.id}
              id={domId(tab.id)}
              type="button"
              role="tab"
              aria-selected={tab.id === openId}
              aria-controls="sql-text"
              tabIndex={tab.id === openId ? 0 : -1}
              title="Double-click or F2 renames it; Delete closes it"
              onClick={() => onOpen(tab.id)}
              onDoubleClick={() => setRenaming(tab.id)}
              onKeyDown={(event) => go(event, tab)}
              className={`-mb-px h-9 max-w-56 shrink-0 truncate rounded-t-md border-b-2 px-3 text-[14px] font-medium -outline-offset-2 ${tab.id === openId ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink'}`}
            >
              {tab.name}
              {isChanged(tab) && (
                <>
                  <span aria-hidden> •</span>
                  <span className="sr-only"> (not saved)</span>
                </>
              )}
            </button>
          ),
        )}
      </div>
      {openId !== undefined && (
        <Button
          look="quiet"
          size="small"
          aria-label="Close this tab"
          onClick={() => onClose(openId)}
        >
          <X aria-hidden className="size-4" />
        </Button>
      )}
      <Button look="quiet" size="small" aria-label="New tab" onClick={onAdd}>
        <Plus aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

const domId = (id: string): string => `sql-tab-${id}`;

interface NameFieldProps {
  readonly name: string;
  /** Without a name, it stays as it is. */
  readonly onDone: (name: string | undefined) => void;
}

function NameField({ name, onDone }: NameFieldProps): ReactNode {
  const [text, setText] = useState(name);
  const done = (): void => onDone(text.trim() === '' ? undefined : text.trim());
  return (
    <input
      aria-label="Name of the tab"
      className="h-8 w-40 shrink-0 rounded-md border border-line-strong bg-surface px-2 text-[14px]"
      value={text}
      maxLength={120}
      autoFocus
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={({ key }) => {
        if (key === 'Enter') done();
        if (key === 'Escape') onDone(undefined);
      }}
    />
  );
}
