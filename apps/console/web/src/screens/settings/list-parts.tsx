import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/field.js';
import { Skeleton } from '../../ui/skeleton.js';

const looks: Readonly<Record<string, string>> = {
  succeeded: 'bg-good-soft text-good',
  sent: 'bg-good-soft text-good',
  failed: 'bg-danger-soft text-danger',
  dead: 'bg-danger-soft text-danger',
};

/** The state of a message or a delivery, in a word. */
export function StateWord({ state }: { readonly state: string }): ReactNode {
  return (
    <span
      className={`rounded-sm px-1.5 text-[12px] font-medium ${looks[state] ?? 'bg-sunken text-soft'}`}
    >
      {state}
    </span>
  );
}

/** The state that the address asks for, if it is one of these. */
export function useWantedState<State extends string>(states: readonly State[]): State | undefined {
  const { state } = useSearch({ from: '/signed-in/projects/$ref/settings/$part' });
  return states.find((known) => known === state);
}

/** Which states are listed; the address keeps it. */
export function StateFilter({ states }: { readonly states: readonly string[] }): ReactNode {
  const chosen = useWantedState(states);
  const navigate = useNavigate();
  return (
    <Choice
      label="State"
      isBare
      value={chosen ?? ''}
      className="max-w-44"
      onChange={({ currentTarget: { value } }) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, state: value === '' ? undefined : value }),
          replace: true,
          resetScroll: false,
        })
      }
    >
      <option value="">Every state</option>
      {states.map((state) => (
        <option key={state}>{state}</option>
      ))}
    </Choice>
  );
}

interface MoreProps {
  readonly of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The way to the older rows of a list. */
export function ShowOlder({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: MoreProps): ReactNode {
  if (!hasNextPage) return null;
  return (
    <Button
      className="justify-self-start"
      busy={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      Show older
    </Button>
  );
}

export function WaitingRows(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
      {['w-64', 'w-52', 'w-60'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
