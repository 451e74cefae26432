import { type ReactNode, useLayoutEffect, useRef } from 'react';

import { Code } from '../../ui/code.js';
import { latencyOf, type LogEntry, type Times } from './log.js';

/** Everything about an entry, moved into sight. */
export function EntryDetails({ of: entry }: { readonly of: LogEntry }): ReactNode {
  const { seq, topic, who, title, content, times } = entry;
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // It returns a promise in new browsers, which is no cleanup.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [seq]);
  return (
    <section
      ref={place}
      aria-label="Details of the event"
      className="grid scroll-mt-20 scroll-mb-4 grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <div>
        <h2 className="text-[15px] font-semibold break-words">{title}</h2>
        <p className="text-[13px] break-words text-soft">
          {topic} as {who}. {timing(times)}
        </p>
      </div>
      <Code label="What has arrived" text={JSON.stringify(content, null, 2)} />
    </section>
  );
}

function timing(times: Times): string {
  const { writtenAt, sentAt, arrivedAt } = times;
  const underway = Math.max(0, Math.round(arrivedAt - sentAt));
  const total = latencyOf(times);
  if (writtenAt === undefined || total === undefined) return `Sent ${iso(sentAt)}.`;
  const atServer = Math.max(0, Math.round(sentAt - writtenAt));
  return `Written ${iso(writtenAt)}, sent after ${atServer} ms, arrived ${underway} ms later: ${total} ms.`;
}

const iso = (ms: number): string => new Date(ms).toISOString();
