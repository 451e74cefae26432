import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { arrayOfItems, itemsOfArray } from './arrays.js';
import { PlainEditor, type ValueEditorProps } from './plain-editor.js';

/** Fields for more items would be slow; their text is edited instead. */
const maxFields = 200;

/** A field for each item of a list; arrays of several dimensions are edited as their text. */
export function ArrayEditor(props: ValueEditorProps): ReactNode {
  const { text, isReadOnly, onChange } = props;
  const items = itemsOfArray(text === '' ? '{}' : text);
  if (!items || items.length > maxFields) return <PlainEditor {...props} rows={8} />;
  const set = (index: number, item: string | null): void =>
    onChange(arrayOfItems(items.map((each, at) => (at === index ? item : each))));
  return (
    <div className="grid gap-3">
      <ol className="grid gap-1.5">
        {items.map((item, index) => (
          // Items have no identity but their place.
          <li key={index} className="flex items-center gap-1.5">
            <input
              aria-label={`Item ${index + 1}`}
              value={item ?? ''}
              placeholder={item === null ? 'NULL' : 'empty text'}
              readOnly={isReadOnly}
              spellCheck={false}
              autoComplete="off"
              className="h-9 min-w-0 grow rounded-md border border-line-strong bg-surface px-3 font-mono text-[13px] focus-visible:outline-offset-0"
              onChange={(event) => set(index, event.currentTarget.value)}
            />
            {!isReadOnly && (
              <>
                <Button
                  size="small"
                  aria-label={`Item ${index + 1} is NULL`}
                  aria-pressed={item === null}
                  className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
                  onClick={() => set(index, item === null ? '' : null)}
                >
                  NULL
                </Button>
                <Button
                  look="quiet"
                  size="icon"
                  aria-label={`Remove item ${index + 1}`}
                  onClick={() => onChange(arrayOfItems(items.filter((_, at) => at !== index)))}
                >
                  <X aria-hidden className="size-4" />
                </Button>
              </>
            )}
          </li>
        ))}
      </ol>
      {items.length === 0 && <p className="text-[14px] text-soft">The array is empty.</p>}
      {!isReadOnly && (
        <Button
          className="justify-self-start"
          onClick={() => onChange(arrayOfItems([...items, '']))}
        >
          <Plus aria-hidden className="size-4" />
          Add an item
        </Button>
      )}
      <PlainEditor {...props} rows={1} label="As text" />
    </div>
  );
}
