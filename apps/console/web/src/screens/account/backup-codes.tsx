import { Download } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';

/** Backup codes, which are shown once. */
export function BackupCodes({ codes }: { readonly codes: readonly string[] }): ReactNode {
  const text = codes.join('\n');
  return (
    <div className="grid gap-3">
      <p className="text-[14px]">
        Keep these backup codes where your phone is not. Each replaces a code of the app once, and
        they are not shown again.
      </p>
      <ol
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken px-4 py-3 font-mono text-[14px] select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex gap-2">
        <CopyButton text={text} what="the backup codes">
          Copy
        </CopyButton>
        <Button look="quiet" size="small" onClick={() => save(text)}>
          <Download aria-hidden className="size-4" />
          Download
        </Button>
      </div>
    </div>
  );
}

function save(text: string): void {
  const link = document.createElement('a');
  link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
  link.download = 'rowhouse-backup-codes.txt';
  link.click();
}
