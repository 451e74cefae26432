import { Copy, Download, FolderOpen, FolderInput, PanelRightOpen, Trash2 } from 'lucide-react';

import type { MenuEntry } from '../../ui/menu-entry.js';
import { showProblem } from '../../ui/toast.js';
import { saveFile } from './file-actions.js';
import type { Entry } from './queries.js';

export type EntryTask = 'move' | 'copy' | 'delete';

interface EntryActions {
  readonly mayWrite: boolean;
  readonly onOpen: () => void;
  readonly onTask: (task: EntryTask) => void;
}

/** What can be done with one folder or file. */
export function entryMenu(
  ref: string,
  entry: Entry,
  { mayWrite, onOpen, onTask }: EntryActions,
): readonly MenuEntry[] {
  const isFolder = entry.kind === 'folder';
  const open = isFolder
    ? { name: 'Open', icon: <FolderOpen aria-hidden />, run: onOpen }
    : { name: 'Show details', icon: <PanelRightOpen aria-hidden />, run: onOpen };
  return [
    open,
    ...(isFolder
      ? []
      : [
          {
            name: 'Download',
            icon: <Download aria-hidden />,
            run: () => void saveFile(ref, entry).catch(showProblem),
          },
        ]),
    ...(mayWrite ? changes(onTask) : []),
  ];
}

function changes(onTask: (task: EntryTask) => void): readonly MenuEntry[] {
  return [
    'line',
    { name: 'Move or rename', icon: <FolderInput aria-hidden />, run: () => onTask('move') },
    { name: 'Copy to', icon: <Copy aria-hidden />, run: () => onTask('copy') },
    'line',
    {
      name: 'Delete…',
      icon: <Trash2 aria-hidden />,
      isDangerous: true,
      run: () => onTask('delete'),
    },
  ];
}
