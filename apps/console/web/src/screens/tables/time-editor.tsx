import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { kindOf } from './value-kinds.js';
import { PlainEditor, type ValueEditorProps } from './plain-editor.js';

/** The exact text of a date or time, with buttons for this moment. Times with a zone are shown in UTC. */
export function TimeEditor(props: ValueEditorProps): ReactNode {
  const { column, text, isReadOnly, onChange } = props;
  const kind = kindOf(column);
  const local = kind === 'timestamptz' ? localTime(text) : undefined;
  return (
    <div className="grid gap-3">
      <PlainEditor {...props} rows={1} />
      {local !== undefined && (
        <p className="text-[13px] text-soft">
          {local} in the time zone of this browser. Any zone is accepted: 2026-01-31
          13:45:00.123456+02, or …Europe/Berlin.
        </p>
      )}
      {!isReadOnly && (
        <Button className="justify-self-start" onClick={() => onChange(nowAs(kind))}>
          {kind === 'date' ? 'Today' : 'Now'}
        </Button>
      )}
    </div>
  );
}

function nowAs(kind: string): string {
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  if (kind === 'date') return now.slice(0, 10);
  return kind === 'timestamptz' ? `${now}+00` : now;
}

function localTime(text: string): string | undefined {
  const moment = new Date(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
  if (Number.isNaN(moment.getTime())) return undefined;
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(
    moment,
  );
}
