// Where the focus goes when a dialog closes. What had it before may be gone by then: an entry of a menu, or a button of
// a dialog that the next one took the place of.
const openers = new WeakMap<Element, readonly HTMLElement[]>();
const layers = '[role=dialog], [role=alertdialog], [role=menu]';

/** Returns the element that has the focus, then those from which its dialog or menu was opened, the nearest first. */
export function placesToReturn(): readonly HTMLElement[] {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return [];
  const layer = activeElement.closest(layers);
  return [activeElement, ...((layer && openers.get(layer)) ?? [])];
}

/** Keeps from where a dialog or a menu was opened, for what is opened from within it. */
export function keepPlaces(layer: Element | null, places: readonly HTMLElement[]): void {
  if (layer) openers.set(layer, places);
}

/** Gives the focus to the first of the places that is still there. */
export function returnTo(places: readonly HTMLElement[]): void {
  places.find((place) => place.isConnected)?.focus();
}
