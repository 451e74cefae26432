import { Plus, Radio } from 'lucide-react';
import { type ReactNode, useState, useSyncExternalStore } from 'react';

import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useMay } from '../project/use-project.js';
import type { Inspection, ListenerView } from './inspection.js';
import { JoinDialog } from './join-dialog.js';
import { ListenerCard } from './listener-card.js';
import { LogPane } from './log-pane.js';
import { SendDialog } from './send-dialog.js';
import { TrackDialog } from './track-dialog.js';

/** At a time, as the API takes them. */
const maxListeners = 8;

type OpenDialog =
  { readonly kind: 'join' } | { readonly kind: 'send' | 'track'; readonly of: ListenerView };

/** Channels as other callers see them: who joins, and what each of them receives. */
export function InspectorTab({ inspection }: { readonly inspection: Inspection }): ReactNode {
  const mayWrite = useMay('content.write');
  const { listeners, entries, problem } = useSyncExternalStore(
    inspection.subscribe,
    inspection.view,
  );
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const isFull = listeners.length >= maxListeners;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {listeners.length === 0 ? (
        <NoListener onJoin={() => setDialog({ kind: 'join' })} />
      ) : (
        <section aria-label="Listeners" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 2xl:grid-cols-3">
            {listeners.map((view) => (
              <ListenerCard
                key={view.listener.id}
                of={view}
                mayWrite={mayWrite}
                inspection={inspection}
                onSend={() => setDialog({ kind: 'send', of: view })}
                onTrack={() => setDialog({ kind: 'track', of: view })}
              />
            ))}
          </ul>
          <div className="flex flex-wrap items-center gap-3">
            <Button disabled={isFull} onClick={() => setDialog({ kind: 'join' })}>
              <Plus aria-hidden className="size-4" />
              Join another channel
            </Button>
            <p className="text-[13px] text-soft">
              {isFull
                ? `${maxListeners} listeners are the most.`
                : 'Join the same channel as two callers to compare what they receive.'}{' '}
              Listeners stay joined on other screens of the project.
            </p>
          </div>
        </section>
      )}
      <ProblemNotice
        of={problem}
        effect="Nothing is received at the moment."
        onRetry={() => inspection.retry()}
      />
      {(listeners.length > 0 || entries.length > 0) && (
        <LogPane entries={entries} listeners={listeners} onClear={() => inspection.clear()} />
      )}
      {dialog?.kind === 'join' && (
        <JoinDialog
          onJoin={(choice) => {
            inspection.join(choice);
            close();
          }}
          onClose={close}
        />
      )}
      {dialog?.kind === 'send' && <SendDialog of={dialog.of.listener} onClose={close} />}
      {dialog?.kind === 'track' && (
        <TrackDialog
          onTrack={(payload) => {
            inspection.track(dialog.of.listener.id, payload);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function NoListener({ onJoin }: { readonly onJoin: () => void }): ReactNode {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-4 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <div className="grid gap-1.5">
        <Radio aria-hidden className="size-6 text-soft" />
        <h2 className="text-[17px] font-semibold">No listener yet</h2>
        <p className="max-w-prose text-[14px] text-soft">
          Join a channel as a visitor, a user, with claims, or with all rights, and see what this
          caller receives: changes of rows with their latency, messages, and who is present. What
          the caller is refused is shown with the reason. Each time is in the audit log.
        </p>
      </div>
      <Button look="primary" onClick={onJoin}>
        Join a channel
      </Button>
    </section>
  );
}
