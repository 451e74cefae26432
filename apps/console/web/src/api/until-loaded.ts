// Code that is loaded when it is wanted: screens, dialogs, menus. The build wraps each dynamic import of the pages with
// this (vite.config.js), so that none is lost because the server was away for a moment.
import { checkConnection, isConnectionLost, untilConnected } from './connection.js';

/** Loads code. While the server cannot be reached, this waits and loads it then. Throws what else keeps it away. */
export async function untilLoaded<Code>(load: () => Promise<Code>): Promise<Code> {
  let isSecondTry = false;
  for (;;) {
    try {
      // One try after the other.
      return await load();
    } catch (error) {
      await checkConnection();
      // The server may have come back since.
      if (!isConnectionLost() && isSecondTry) throw error;
      isSecondTry = !isConnectionLost();
      await untilConnected();
      await loadStylesAgain();
    }
  }
}

/** Those that have failed. They are in the document, and the loader of the build takes them for loaded. */
const failedStyles = new Set<HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  // These events do not bubble.
  { capture: true },
);

/** Loads the styles that belong to the code. */
async function loadStylesAgain(): Promise<void> {
  const failed = [...failedStyles];
  failedStyles.clear();
  await Promise.all(
    failed.map(
      (link) =>
        new Promise((resolve) => {
          const again = document.createElement('link');
          again.rel = 'stylesheet';
          again.crossOrigin = link.crossOrigin;
          again.href = link.href;
          again.addEventListener('load', resolve);
          again.addEventListener('error', resolve);
          link.replaceWith(again);
        }),
    ),
  );
}
