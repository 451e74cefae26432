import { Copy, Download, FolderInput, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { showProblem } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import type { EntryTask } from './entry-menu.js';
import { saveFiles } from './file-actions.js';
import type { Entry } from './queries.js';

interface BulkBarProps {
  readonly entries: readonly Entry[];
  readonly mayWrite: boolean;
  readonly onTask: (task: EntryTask) => void;
  readonly onClear: () => void;
}

/** What can be done with the folders and files that are selected. */
export function BulkBar({ entries, mayWrite, onTask, onClear }: BulkBarProps): ReactNode {
  const { ref } = useProject();
  const [isSaving, setSaving] = useState(false);
  const files = entries.filter((entry) => entry.kind === 'file');
  const save = async (): Promise<void> => {
    setSaving(true);
    await saveFiles(ref, files).catch(showProblem);
    setSaving(false);
  };
  return (
    <section
      aria-label="Selected files"
      className="sticky top-16 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2"
    >
      <p role="status" className="mr-auto pl-1 text-[14px] font-medium text-accent">
        {selectionInWords(entries)}
      </p>
      {files.length > 0 && files.length === entries.length && (
        <Button busy={isSaving} onClick={() => void save()}>
          <Download aria-hidden className="size-4" />
          Download
        </Button>
      )}
      {mayWrite && (
        <>
          <Button onClick={() => onTask('move')}>
            <FolderInput aria-hidden className="size-4" />
            Move
          </Button>
          <Button onClick={() => onTask('copy')}>
            <Copy aria-hidden className="size-4" />
            Copy
          </Button>
          <Button onClick={() => onTask('delete')}>
            <Trash2 aria-hidden className="size-4 text-danger" />
            Delete
          </Button>
        </>
      )}
      <Button look="quiet" size="icon" aria-label="Clear the selection" onClick={onClear}>
        <X aria-hidden className="size-4" />
      </Button>
    </section>
  );
}

function selectionInWords(entries: readonly Entry[]): string {
  const files = entries.filter((entry) => entry.kind === 'file');
  const folders = entries.length - files.length;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const words = [
    ...(folders > 0 ? [counted(folders, 'folder')] : []),
    ...(files.length > 0 ? [`${counted(files.length, 'file')} (${bytesInWords(bytes)})`] : []),
  ];
  return `${words.join(' and ')} selected`;
}
