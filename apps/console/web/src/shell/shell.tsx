import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { CircleUser, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

import { isStudio, studioRef } from '../api/place.js';
import { projectQuery } from '../screens/projects/queries.js';
import { operatorQuery, useOperator } from '../session/operator.js';
import { signOut } from '../session/sign-out.js';
import { Button } from '../ui/button.js';
import { isConfirmationOpen } from '../ui/confirmation.js';
import { Menu } from '../ui/menu.js';
import { setTheme, type Theme, themes, useTheme } from '../ui/theme.js';
import { ConnectionNotice } from './connection-notice.js';
import { Mark } from './mark.js';

const Palette = lazy(() => import('../palette/palette.js'));
// A page is usable without it.
const loadNav = () => import('./nav.js').catch(() => ({ default: () => null }));
const Nav = lazy(loadNav);

/** Begins to load what the shell shows, beside the first screen and not after it. */
export function loadShell(queryClient: QueryClient): void {
  if (!isStudio()) void loadNav();
  void queryClient.prefetchQuery({ ...operatorQuery, staleTime: Number.POSITIVE_INFINITY });
}

/** What surrounds every screen: the way home, the palette, the theme and the account. */
export function Shell(): ReactNode {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  // The link to the content is within the page of the address: each navigation renders it again.
  useLocation();
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (isConfirmationOpen()) return;
      setPaletteOpen((isOpen) => !isOpen);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <a
        href={`${window.location.pathname}${window.location.search}#content`}
        onClick={skipToContent}
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[120rem] items-center gap-2 px-4 sm:px-6">
          <Link
            to="/projects"
            className="mr-auto flex min-w-0 items-center gap-2.5 rounded-md font-semibold"
          >
            <Mark />
            {isStudio() ? <StudioName /> : 'Rowhouse'}
          </Link>
          {!isStudio() && (
            <Suspense>
              <Nav />
            </Suspense>
          )}
          <Button
            onClick={() => setPaletteOpen(true)}
            aria-keyshortcuts="Control+K"
            className="text-soft max-sm:w-9 max-sm:px-0 sm:w-64 sm:justify-start"
          >
            <Search aria-hidden className="size-4" />
            <span className="grow text-left font-normal max-sm:sr-only">Find or do…</span>
            <kbd
              aria-hidden
              className="rounded border border-line px-1.5 text-[12px] max-sm:hidden"
            >
              Ctrl K
            </kbd>
          </Button>
          <ThemeMenu />
          <AccountMenu />
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        // As wide on each screen: a step to another one moves nothing around it.
        className="mx-auto max-w-[120rem] px-4 py-6 focus:outline-none sm:px-6 sm:py-8"
      >
        <Outlet />
      </main>
      <ConnectionNotice />
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function StudioName(): ReactNode {
  const { data } = useQuery(projectQuery(studioRef));
  return (
    <>
      <span className="truncate">{data?.name ?? 'Studio'}</span>
      <span className="sr-only">: home of the project</span>
    </>
  );
}

function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

const themeFaces: Readonly<Record<Theme, readonly [name: string, icon: ReactNode]>> = {
  system: ['As the system', <Monitor aria-hidden />],
  light: ['Light', <Sun aria-hidden />],
  dark: ['Dark', <Moon aria-hidden />],
};

function ThemeMenu(): ReactNode {
  const [, icon] = themeFaces[useTheme()];
  return (
    <Menu
      label="Theme"
      icon={<span className="[&_svg]:size-4.5">{icon}</span>}
      entries={themes.map((theme) => ({
        name: themeFaces[theme][0],
        icon: themeFaces[theme][1],
        run: () => setTheme(theme),
      }))}
    />
  );
}

function AccountMenu(): ReactNode {
  const navigate = useNavigate();
  const { data } = useOperator();
  return (
    <Menu
      label="Your account"
      icon={<CircleUser aria-hidden className="size-5" />}
      title={data?.operator.email}
      entries={[
        {
          name: 'Account and security',
          icon: <CircleUser aria-hidden />,
          run: () => void navigate({ to: '/account' }),
        },
        ...(data?.operator.isDeploymentAdmin === true
          ? [
              {
                name: 'Deployment',
                icon: <Monitor aria-hidden />,
                run: () => void navigate({ to: '/deployment' }),
              },
            ]
          : []),
        'line',
        { name: 'Sign out', icon: <LogOut aria-hidden />, run: () => void signOut() },
      ]}
    />
  );
}
