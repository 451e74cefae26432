import type { ReactNode } from 'react';

/** One action of a menu. */
interface MenuAction {
  readonly name: string;
  readonly icon: ReactNode;
  readonly run: () => void;
  readonly isDangerous?: boolean;
}

/** A line between actions, or a text that cannot be chosen. */
export type MenuEntry = MenuAction | { readonly text: string } | 'line';
