// The words that the address of the screen may have.

export const tabs = ['inspector', 'activity', 'tables'] as const;
export type Tab = (typeof tabs)[number];

export const shownKinds = ['change', 'message', 'presence', 'channel'] as const;
export type ShownKind = (typeof shownKinds)[number];
