import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { downloadCsv } from './csv.js';
import { readAllUsers } from './queries.js';
import type { UsersSearch } from './search.js';

interface ExportButtonProps {
  readonly projectRef: string;
  readonly search: UsersSearch;
  readonly total: number;
}

/** Downloads all users that match, from every page. */
export function ExportButton({ projectRef, search, total }: ExportButtonProps): ReactNode {
  const [progress, setProgress] = useState('');
  const exporting = useMutation({
    mutationFn: () =>
      readAllUsers(projectRef, search, (done, all) =>
        setProgress(`${done.toLocaleString('en')} of ${all.toLocaleString('en')}`),
      ),
    onSuccess: (users) => {
      downloadCsv(`users-of-${projectRef}.csv`, users);
      showToast({ kind: 'done', text: `${counted(users.length, 'user')} exported.` });
    },
    onError: showProblem,
    onSettled: () => setProgress(''),
  });
  return (
    <Button
      busy={exporting.isPending}
      onClick={() => exporting.mutate()}
      title={`Download ${counted(total, 'user')} as a file`}
    >
      <Download aria-hidden className="size-4" />
      {exporting.isPending ? progress || 'Reading' : 'Export all as CSV'}
    </Button>
  );
}
