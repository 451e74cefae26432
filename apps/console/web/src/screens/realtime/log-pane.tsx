import { useSearch } from '@tanstack/react-router';
import { Download, Pause, Play, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { download } from '../../ui/download.js';
import { Choice, Field } from '../../ui/field.js';
import { useProject } from '../project/use-project.js';
import { EntryDetails } from './entry-details.js';
import type { ListenerView } from './inspection.js';
import { filterLog, type LogEntry, logFile } from './log.js';
import { LogList } from './log-list.js';
import { useChangeSearch } from './use-change-search.js';
import { type ShownKind, shownKinds } from './words.js';

interface LogPaneProps {
  readonly entries: readonly LogEntry[];
  readonly listeners: readonly ListenerView[];
  readonly onClear: () => void;
}

const kindNames: Readonly<Record<ShownKind, string>> = {
  change: 'Changes of rows',
  message: 'Messages',
  presence: 'Presence',
  channel: 'Joins and refusals',
};

/** What the listeners have received: filtered, held, saved. */
export function LogPane({ entries, listeners, onClear }: LogPaneProps): ReactNode {
  const { ref } = useProject();
  const { q: first = '', kind: asked } = useSearch({ from: '/signed-in/projects/$ref/realtime' });
  const kind = shownKinds.find((one) => one === asked);
  const change = useChangeSearch();
  // The address follows what is typed, and is a moment behind it.
  const [text, setText] = useState(first);
  const [listener, setListener] = useState<number>();
  /** The entries at the time of the pause; undefined while the log runs. */
  const [held, setHeld] = useState<readonly LogEntry[]>();
  const [openSeq, setOpenSeq] = useState<number>();
  const shown = filterLog(held ?? entries, { text, kind, listener });
  const open = shown.find(({ seq }) => seq === openSeq);
  const missed = held ? (entries[0]?.seq ?? 0) - (held[0]?.seq ?? 0) : 0;
  return (
    <section aria-label="Log" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-3">
        <Field
          label="Find in the log"
          type="search"
          value={text}
          placeholder="Part of an event or a value"
          onChange={({ target }) => {
            setText(target.value);
            change({ q: target.value || undefined }, true);
          }}
        />
        <Choice
          label="Show"
          value={kind ?? ''}
          onChange={({ target }) => change({ kind: target.value || undefined }, true)}
        >
          <option value="">Everything</option>
          {shownKinds.map((one) => (
            <option key={one} value={one}>
              {kindNames[one]}
            </option>
          ))}
        </Choice>
        <Choice
          label="Of"
          value={listener ?? ''}
          onChange={({ target }) =>
            setListener(target.value === '' ? undefined : Number(target.value))
          }
        >
          <option value="">All listeners</option>
          {listeners.map(({ listener: { id, topic, who } }) => (
            <option key={id} value={id}>
              {topic} as {who}
            </option>
          ))}
        </Choice>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setHeld(held ? undefined : entries)}>
          {held ? (
            <Play aria-hidden className="size-3.5" />
          ) : (
            <Pause aria-hidden className="size-3.5" />
          )}
          {held ? `Resume${missed > 0 ? ` (${missed.toLocaleString('en')} new)` : ''}` : 'Pause'}
        </Button>
        <Button
          size="small"
          disabled={entries.length === 0}
          onClick={() => {
            setHeld(undefined);
            setOpenSeq(undefined);
            onClear();
          }}
        >
          <Trash2 aria-hidden className="size-3.5" />
          Clear
        </Button>
        <Button
          size="small"
          disabled={shown.length === 0}
          onClick={() => download(`realtime-of-${ref}.json`, 'application/json', [logFile(shown)])}
        >
          <Download aria-hidden className="size-3.5" />
          Export as JSON
        </Button>
        <p className="text-[13px] text-soft">
          {counted(shown.length, 'event')}
          {shown.length !== entries.length && ` of ${entries.length.toLocaleString('en')}`}
        </p>
      </div>
      {shown.length > 0 ? (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 xl:has-[>section]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <LogList entries={shown} open={open?.seq} onOpen={setOpenSeq} />
          {open && <EntryDetails of={open} />}
        </div>
      ) : (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-[14px] text-soft">
          {entries.length === 0
            ? 'Nothing was received yet. Change a row, or send a message: it appears here. Each listener says why it may receive nothing.'
            : 'No event matches.'}
        </p>
      )}
    </section>
  );
}
