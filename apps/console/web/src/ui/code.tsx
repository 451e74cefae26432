import type { ReactNode } from 'react';

import { CopyButton } from './copy.js';

interface CodeProps {
  /** What it is, for its name and that of the button. */
  readonly label: string;
  readonly text: string;
}

/** Some lines of code, made to be copied. */
export function Code({ label, text }: CodeProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center justify-between gap-2">
        <p className="text-[13px] font-semibold">{label}</p>
        <CopyButton text={text} what={label}>
          Copy
        </CopyButton>
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-80 overflow-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[13px] leading-relaxed"
      >
        {text}
      </pre>
    </div>
  );
}
