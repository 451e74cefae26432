import { Lock, LogOut, RotateCw, Send, UserRound, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { useProject } from '../project/use-project.js';
import type { Inspection, ListenerState, ListenerView } from './inspection.js';
import { listenerBody } from './listener.js';
import { SilenceNotice } from './silence-notice.js';
import { inspectPath } from './stream.js';

interface ListenerCardProps {
  readonly of: ListenerView;
  readonly mayWrite: boolean;
  readonly inspection: Inspection;
  readonly onSend: () => void;
  readonly onTrack: () => void;
}

/** One listener: who it is, how it is, and what it can do. */
export function ListenerCard(props: ListenerCardProps): ReactNode {
  const { of: view, mayWrite, inspection, onSend, onTrack } = props;
  const { ref } = useProject();
  const { listener, state, present, received } = view;
  const { id, topic, who, isPrivate, tables, presence } = listener;
  const name = `${topic} as ${who}`;
  const isJoined = state.kind === 'joined';
  const keys = Object.keys(present);
  const body = { listeners: [listenerBody(listener)] };
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h2 className="flex items-center gap-1.5 text-[15px] font-semibold break-all">
            {topic}
            {isPrivate && (
              <>
                <Lock aria-hidden className="size-3.5 shrink-0 text-soft" />
                <span className="sr-only">(private)</span>
              </>
            )}
          </h2>
          <p className="text-[13px] break-all text-soft">as {who}</p>
        </div>
        <CopyButton
          text={curlOf({ method: 'POST', path: inspectPath(ref), body })}
          what={`as curl: the listener ${name}`}
        />
        <Button
          look="quiet"
          size="icon"
          aria-label={`Leave ${name}`}
          title="Leave"
          onClick={() => inspection.leave(id)}
        >
          <LogOut aria-hidden className="size-4" />
        </Button>
      </div>
      <State of={state} />
      <p className="text-[13px] text-soft">
        {tables.length > 0 && <>Changes of {tables.join(', ')}. </>}
        {counted(received, 'event')} received.
      </p>
      {isJoined && received === 0 && <SilenceNotice of={listener} />}
      <p className="text-[13px] break-words">
        {keys.length === 0 ? (
          <span className="text-soft">0 present</span>
        ) : (
          <>
            <span className="font-medium">{keys.length} present:</span> {keys.join(', ')}
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {mayWrite && isJoined && (
          <>
            <Button size="small" onClick={onSend} aria-label={`Send a message to ${name}`}>
              <Send aria-hidden className="size-3.5" />
              Send
            </Button>
            {presence ? (
              <Button
                size="small"
                aria-label={`Be absent in ${name}`}
                onClick={() => inspection.track(id, undefined)}
              >
                <UserRoundX aria-hidden className="size-3.5" />
                Be absent
              </Button>
            ) : (
              <Button size="small" onClick={onTrack} aria-label={`Be present in ${name}`}>
                <UserRound aria-hidden className="size-3.5" />
                Be present
              </Button>
            )}
          </>
        )}
        {(state.kind === 'refused' || state.kind === 'ended') && (
          <Button
            size="small"
            aria-label={`Join again: ${name}`}
            onClick={() => inspection.rejoin(id)}
          >
            <RotateCw aria-hidden className="size-3.5" />
            Join again
          </Button>
        )}
      </div>
    </li>
  );
}

function State({ of: state }: { readonly of: ListenerState }): ReactNode {
  switch (state.kind) {
    case 'joining':
      return (
        <p role="status" className="text-[13px] text-soft">
          Joining…
        </p>
      );
    case 'joined':
      return (
        <p role="status" className="text-[13px] font-medium text-good">
          {state.isWarming ? 'Joined; a transaction from before is open' : 'Joined'}
        </p>
      );
    case 'refused':
    case 'ended':
      return (
        <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-[13px] text-danger">
          <p className="font-semibold">
            {state.kind === 'refused' ? 'Refused' : 'Ended'}: <code>{state.code}</code>
          </p>
          <p className="break-words">{state.message}</p>
          {state.hint !== undefined && <p className="break-words">{state.hint}</p>}
        </div>
      );
  }
}
