import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { useProject } from '../project/use-project.js';
import { storedOf } from './draft.js';
import { FieldList } from './field-list.js';
import type { GroupForm, Loaded } from './form.js';
import { LeaveGuard } from './leave-guard.js';
import { groupQuery } from './queries.js';
import { SaveBar } from './save-bar.js';
import { type FieldProblem, FormProvider, idOf, useForm } from './use-form.js';

const HistoryTab = lazy(() => import('./history-tab.js'));
const RevertDialog = lazy(() => import('./revert-dialog.js'));
const TemplateEditor = lazy(() => import('./template-editor.js'));
const DeliveriesTab = lazy(() => import('./deliveries-tab.js'));
const SsoTab = lazy(() => import('./sso-tab.js'));
const TestMail = lazy(() => import('./test-message.js').then((all) => ({ default: all.TestMail })));
const TestSms = lazy(() => import('./test-message.js').then((all) => ({ default: all.TestSms })));

const settleMs = 50;

/** What belongs to a group beside its form and its history. */
const tools: Readonly<
  Record<string, { readonly name: string; readonly Content: () => ReactNode }>
> = {
  'email.smtp': { name: 'Test', Content: () => <TestMail /> },
  'phone.sms': { name: 'Test', Content: () => <TestSms /> },
  'auth.hooks': { name: 'Deliveries', Content: () => <DeliveriesTab /> },
  'auth.sso': { name: 'Providers', Content: () => <SsoTab /> },
};

/** A group with its form, its history, and what belongs to it. */
export function GroupPage({ group }: { readonly group: GroupForm }): ReactNode {
  const { ref } = useProject();
  useTitle(group.title);
  const { data: loaded, error, refetch } = useQuery(groupQuery(ref, group.name));
  return (
    <>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {loaded ? <LoadedGroup group={group} loaded={loaded} /> : !error && <Waiting />}
    </>
  );
}

interface LoadedProps {
  readonly group: GroupForm;
  readonly loaded: Loaded;
}

function LoadedGroup({ group, loaded }: LoadedProps): ReactNode {
  const { ref } = useProject();
  const form = useForm(group, loaded);
  const { tab, field } = useSearch({ from: '/signed-in/projects/$ref/settings/$part' });
  const navigate = useNavigate();
  const [isReverting, setReverting] = useState(false);
  const isStored = Object.keys(storedOf(group.fields, loaded)).length > 0;
  useFocusOn(field);
  useFocusOn(form.problem);
  const tool = tools[group.name];
  const tabs = [
    {
      name: 'Settings',
      content: (
        <>
          {group.name === 'email.templates' ? (
            <TemplateEditor />
          ) : (
            <FieldList fields={group.fields} wanted={field} />
          )}
          <SaveBar />
        </>
      ),
    },
    ...(tool ? [{ name: tool.name, content: <tool.Content /> }] : []),
    { name: 'History', content: <HistoryTab /> },
  ];
  const open = tabs.find(({ name }) => name === tab)?.name ?? 'Settings';
  return (
    <FormProvider value={form}>
      <LeaveGuard changes={form.draft.size} />
      <header className="flex flex-wrap items-center gap-2 pb-3">
        <div className="mr-auto min-w-0">
          <h1
            id="group-title"
            tabIndex={-1}
            className="text-[20px] leading-tight font-semibold break-words"
          >
            {group.title}
          </h1>
          <p className="text-[14px] text-soft">{group.help}</p>
        </div>
        <CopyButton
          text={curlOf({ path: projectPath(ref, `/api/admin/settings/${group.name}`) })}
          what="as curl: the group"
        >
          Copy as curl
        </CopyButton>
        {isStored && (
          <Button onClick={() => setReverting(true)}>
            <RotateCcw aria-hidden className="size-4" />
            Return to defaults
          </Button>
        )}
      </header>
      <Suspense fallback={<Skeleton className="my-3 w-48" />}>
        <Tabs
          label={group.title}
          tabs={tabs}
          open={open}
          onOpen={(name) =>
            void navigate({
              to: '.',
              search: (before) => ({
                ...before,
                tab: name === 'Settings' ? undefined : name,
                field: undefined,
              }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        {isReverting && <RevertDialog onClose={() => setReverting(false)} />}
      </Suspense>
    </FormProvider>
  );
}

/** Shows a field and gives it the focus: the one that a link leads to, or that the server has refused. */
function useFocusOn(field: string | FieldProblem | undefined): void {
  useEffect(() => {
    if (field === undefined) return;
    const path = typeof field === 'string' ? field : field.path;
    // After the object of the field has opened, and a dialog has given the focus back.
    const timer = window.setTimeout(() => {
      const element = document.querySelector<HTMLElement>(`[id="${idOf(path)}"]`);
      element?.scrollIntoView({ block: 'center' });
      element?.focus({ preventScroll: true });
    }, settleMs);
    return () => window.clearTimeout(timer);
  }, [field]);
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-4">
      <Skeleton className="my-2 w-56" />
      {[0, 1, 2].map((place) => (
        <div key={place} className="h-16 rounded-md border border-line bg-surface" />
      ))}
    </div>
  );
}
