import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'rowhouse.theme';
const listeners = new Set<() => void>();

function storedTheme(): Theme {
  const stored = window.localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Gives the page the stored theme; before anything is drawn. */
export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function setTheme(theme: Theme): void {
  window.localStorage.setItem(storageKey, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedTheme);
}
