import { json } from '@codemirror/lang-json';
import type { ReactNode } from 'react';

import { CodeEditor } from '../../ui/code-editor.js';

const language = json();

interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for JSON with its label. */
export function JsonField({ label, value, onChange }: JsonFieldProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <p className="text-[13px] font-semibold">{label}</p>
      <CodeEditor
        label={label}
        value={value}
        onChange={onChange}
        language={language}
        className="h-28"
      />
    </div>
  );
}
