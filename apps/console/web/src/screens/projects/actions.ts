// What operators do with projects, with the message and the way back.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../api/client.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { type Project, projectQuery, projectsQuery } from './queries.js';

const dayMs = 24 * 3600 * 1000;

export interface ProjectActions {
  pause(project: Project): Promise<void>;
  resume(project: Project): Promise<void>;
  restore(project: Project): Promise<void>;
}

export function useProjectActions(): ProjectActions {
  const queryClient = useQueryClient();
  return actionsWith(queryClient);
}

function actionsWith(queryClient: QueryClient): ProjectActions {
  const actions: ProjectActions = {
    pause: (project) =>
      run(queryClient, async () => {
        const params = { path: { ref: project.ref } };
        await answer(api.POST('/platform/projects/{ref}/pause', { params }));
        showToast({
          kind: 'done',
          text: `${project.name} is paused: its requests answer 503.`,
          undo: { label: 'Resume', run: () => void actions.resume(project) },
        });
      }),
    resume: (project) =>
      run(queryClient, async () => {
        const params = { path: { ref: project.ref } };
        await answer(api.POST('/platform/projects/{ref}/resume', { params }));
        showToast({ kind: 'done', text: `${project.name} is active again.` });
      }),
    restore: (project) =>
      run(queryClient, async () => {
        const params = { path: { ref: project.ref } };
        await answer(api.POST('/platform/projects/{ref}/restore', { params }));
        showToast({ kind: 'done', text: `${project.name} is restored.` });
      }),
  };
  return actions;
}

/** Renames a project, and says it with the way back. Throws if the project keeps its name. */
export async function renameProject(
  queryClient: QueryClient,
  { ref, name }: Project,
  newName: string,
): Promise<void> {
  await rename(queryClient, ref, newName);
  showToast({
    kind: 'done',
    text: `${name} is now ${newName}.`,
    undo: { label: 'Undo', run: () => void rename(queryClient, ref, name).catch(showProblem) },
  });
}

/** Everything that shows the name has the new one at once. */
async function rename(queryClient: QueryClient, ref: string, name: string): Promise<void> {
  const params = { path: { ref } };
  const renamed = await answer(api.PATCH('/platform/projects/{ref}', { params, body: { name } }));
  queryClient.setQueryData(projectsQuery.queryKey, (listed) =>
    listed?.map((project) => (project.ref === ref ? renamed : project)),
  );
  queryClient.setQueryData(
    projectQuery(ref).queryKey,
    (known) => known && { ...known, ...renamed },
  );
  void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
}

/**
 * Deletes a project. Returns it with its `deleteAt`, or undefined if it was removed for good.
 * `days` is how long it can be restored; 0 removes it for good at once.
 */
export async function deleteProject(
  queryClient: QueryClient,
  project: Project,
  days: number,
): Promise<Project | undefined> {
  const { ref } = project;
  const params = { path: { ref }, query: days === 0 ? { now: 'true' as const } : {} };
  await answer(api.DELETE('/platform/projects/{ref}', { params, body: { ref } }));
  const projects = await refreshed(queryClient);
  if (projects) return projects.find((each) => each.ref === ref && each.deleteAt !== null);
  if (days === 0) return undefined;
  return { ...project, deleteAt: new Date(Date.now() + days * dayMs).toISOString() };
}

/** The projects as they are now. Undefined if they could not be read: the page that lists them says why. */
async function refreshed(queryClient: QueryClient): Promise<readonly Project[] | undefined> {
  try {
    return await queryClient.fetchQuery({ ...projectsQuery, staleTime: 0, retry: false });
  } catch {
    return undefined;
  }
}

async function run(queryClient: QueryClient, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    showProblem(error);
  }
  await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
}
