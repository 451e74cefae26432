import type { ReactNode } from 'react';

import { Field, Tick } from '../../ui/field.js';
import { type Bounds, readRange, textOfRange } from './ranges.js';
import { PlainEditor, type ValueEditorProps } from './plain-editor.js';

const everything: Bounds = {
  kind: 'bounds',
  lower: '',
  upper: '',
  isLowerIncluded: true,
  isUpperIncluded: false,
};

/** Two bounds, each of them included or not, and the text that they make. */
export function RangeEditor(props: ValueEditorProps): ReactNode {
  const { text, isReadOnly, onChange } = props;
  const range = text === '' ? everything : readRange(text);
  const bounds = range?.kind === 'bounds' ? range : undefined;
  const set = (change: Partial<Bounds>): void =>
    onChange(textOfRange({ ...(bounds ?? everything), ...change }));
  return (
    <div className="grid gap-4">
      {bounds && !isReadOnly && (
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="grid content-start gap-2">
            <Field
              label="From"
              value={bounds.lower}
              placeholder="no bound"
              onChange={(event) => set({ lower: event.currentTarget.value })}
            />
            <Tick
              label="This value included"
              checked={bounds.isLowerIncluded}
              onChange={(event) => set({ isLowerIncluded: event.currentTarget.checked })}
            />
          </div>
          <div className="grid content-start gap-2">
            <Field
              label="To"
              value={bounds.upper}
              placeholder="no bound"
              onChange={(event) => set({ upper: event.currentTarget.value })}
            />
            <Tick
              label="This value included"
              checked={bounds.isUpperIncluded}
              onChange={(event) => set({ isUpperIncluded: event.currentTarget.checked })}
            />
          </div>
        </div>
      )}
      {!isReadOnly && (
        <Tick
          label="Empty range"
          checked={range?.kind === 'empty'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'empty' : '(,)')}
        />
      )}
      <PlainEditor {...props} rows={1} label="As text" />
    </div>
  );
}
