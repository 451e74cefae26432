import { json } from '@codemirror/lang-json';
import type { ReactNode } from 'react';

import { CodeEditor } from '../../ui/code-editor.js';

const language = json();

interface MetadataFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Metadata as JSON, in the editor for code. */
export default function MetadataField({
  label,
  hint,
  text,
  problem,
  onChange,
}: MetadataFieldProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <p className="text-[13px] font-semibold">{label}</p>
      <CodeEditor
        label={label}
        value={text}
        onChange={onChange}
        language={language}
        className="h-32"
      />
      <p
        key={problem === undefined ? 'hint' : 'problem'}
        role={problem === undefined ? undefined : 'alert'}
        className={`text-[13px] ${problem === undefined ? 'text-soft' : 'text-danger'}`}
      >
        {problem ?? hint}
      </p>
    </div>
  );
}
