import { json } from '@codemirror/lang-json';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { CodeEditor } from '../../ui/code-editor.js';
import type { ValueEditorProps } from './plain-editor.js';

const language = json();

/** JSON as it is stored. `json` keeps spaces and the order of keys, `jsonb` does not. */
export default function JsonEditor({
  column,
  text,
  isReadOnly,
  onChange,
}: ValueEditorProps): ReactNode {
  const formatted = format(text);
  return (
    <div className="grid gap-2">
      <CodeEditor
        label={`JSON of ${column.name}`}
        value={text}
        onChange={onChange}
        language={language}
        isReadOnly={isReadOnly}
        className="h-72"
      />
      {!isReadOnly && (
        <Button
          className="justify-self-start"
          size="small"
          disabled={formatted === undefined || formatted === text}
          onClick={() => formatted !== undefined && onChange(formatted)}
        >
          Format
        </Button>
      )}
    </div>
  );
}

/** Indented; undefined where numbers would change, because a number of JavaScript has fewer digits. */
function format(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isExact = JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isExact ? JSON.stringify(value, undefined, 2) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
