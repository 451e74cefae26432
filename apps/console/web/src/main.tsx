import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Problem } from './api/problem.js';
import './design.css';
import { createConsoleRouter } from './router.js';
import { isIdle, noteUse, watchIdle } from './session/idle.js';
import { forgetInvitation } from './screens/invitation/token.js';
import { currentSession, onSessionChange } from './session/session.js';
import { signOut } from './session/sign-out.js';
import { clearToasts } from './ui/toast.js';
import { applyTheme } from './ui/theme.js';

const maxTries = 3;

applyTheme();
// The place of the scrollbar, which is away while a dialog is open (design.css).
document.documentElement.style.setProperty(
  '--scrollbar',
  `${window.innerWidth - document.documentElement.clientWidth}px`,
);
// Before the next event: a button that is pressed twice is busy at the second time.
notifyManager.setScheduler(queueMicrotask);
const queryClient = new QueryClient({
  defaultOptions: {
    // A browser that believes to be offline may reach this server all the same.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 2_000,
      // What the server refuses, it refuses again.
      retry: (failures, error) =>
        failures < maxTries &&
        !(error instanceof Problem && error.status >= 400 && error.status < 500),
    },
  },
});
const router = createConsoleRouter(queryClient);

onSessionChange(() => {
  if (currentSession()) return;
  // Nothing that the session has read is left for the next operator.
  queryClient.clear();
  clearToasts();
  forgetInvitation();
  void router.invalidate();
});
if (currentSession() && isIdle()) void signOut('idle');
else noteUse();
watchIdle(() => void signOut('idle'));

const place = document.querySelector('#root');
if (!place) throw new Error('the page has no place for the console');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
