// The code of the details of a user. The list loads it when it is drawn and the browser has nothing else to do: a user
// is opened without a wait for it.
export const loadDrawer = () => import('./user-drawer.js');

/** Loads all of it at once. A load that fails is tried again when a user is opened. */
export function loadDetails(): void {
  const loads: readonly Promise<unknown>[] = [loadDrawer(), import('./metadata-field.js')];
  void Promise.allSettled(loads);
}
