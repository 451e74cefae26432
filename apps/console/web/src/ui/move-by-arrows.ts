import type { KeyboardEvent } from 'react';

/** The arrow keys go from one of these elements to the next: `selector` finds those that have the focus in turn. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof HTMLElement)) return;
  const places = [...currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = places.indexOf(target);
  if (at < 0) return;
  event.preventDefault();
  places[at + step]?.focus();
}
