import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { counted } from '../../ui/counted.js';
import { download } from '../../ui/download.js';
import { Menu } from '../../ui/menu.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { type FileFormat, fileOf } from './entries-file.js';
import { maxExported, readForExport } from './export.js';
import type { Log } from './queries.js';
import type { AuditSearch } from './search.js';

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const;
const bound = maxExported.toLocaleString('en');

interface ExportMenuProps {
  readonly log: Log;
  readonly search: AuditSearch;
}

/** Downloads the entries that match, from every page, up to a bound. */
export function ExportMenu({ log, search }: ExportMenuProps): ReactNode {
  const [count, setCount] = useState(0);
  const exporting = useMutation({
    mutationFn: async (format: FileFormat) => {
      const { entries, isCut } = await readForExport(log, search, setCount);
      download(`${nameOf(log)}.${format}`, types[format], [fileOf(entries, format)]);
      const cut = isCut ? ` Older ones match too: a file has at most ${bound}.` : '';
      return `${counted(entries.length, 'entry')} exported.${cut}`;
    },
    onSuccess: (text) => showToast({ kind: 'done', text }),
    onError: showProblem,
    onSettled: () => setCount(0),
  });
  if (exporting.isPending)
    return (
      <p role="status" className="text-[14px] text-soft tabular-nums">
        Reading {counted(count, 'entry')}…
      </p>
    );
  const icon = <Download aria-hidden />;
  return (
    <Menu
      label="Export"
      icon={<Download aria-hidden className="size-4.5" />}
      title={`The newest ${bound} entries that match`}
      entries={[
        { name: 'Export as CSV', icon, run: () => exporting.mutate('csv') },
        { name: 'Export as JSON', icon, run: () => exporting.mutate('json') },
      ]}
    />
  );
}

function nameOf(log: Log): string {
  switch (log.kind) {
    case 'deployment':
      return 'audit-log';
    case 'organization':
      return `audit-log-${log.id}`;
    case 'project':
      return `audit-log-${log.ref}`;
    case 'inside':
      return `audit-log-within-${log.ref}`;
  }
}
