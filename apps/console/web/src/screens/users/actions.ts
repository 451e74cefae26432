// What operators do with users, with the message and the way back.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';

import { answer, projectApi } from '../../api/client.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { fullNameOf } from './names.js';
import { type User, usersKey } from './queries.js';

export type NamedAction = 'promote' | 'demote' | 'activate' | 'deactivate' | 'unban';

export interface Ban {
  readonly reason: string;
  /** A moment in the form of ISO 8601. */
  readonly until?: string;
}

export interface UserActions {
  promote(user: User): Promise<void>;
  demote(user: User): Promise<void>;
  unban(user: User): Promise<void>;
  endSessions(user: User): Promise<void>;
  /** Runs another change; its failure is shown as a message. Returns whether it was made. */
  change(work: () => Promise<unknown>, done: string): Promise<boolean>;
}

export const act = (ref: string, id: string, action: NamedAction) =>
  answer(
    projectApi(ref).POST('/api/admin/users/{id}/{action}', { params: { path: { id, action } } }),
  );

export const banUser = (ref: string, id: string, body: Ban) =>
  answer(projectApi(ref).POST('/api/admin/users/{id}/ban', { params: { path: { id } }, body }));

export const endSessions = (ref: string, id: string) =>
  answer(projectApi(ref).DELETE('/api/admin/users/{id}/sessions', { params: { path: { id } } }));

export const deleteUser = (ref: string, id: string) =>
  answer(projectApi(ref).DELETE('/api/admin/users/{id}', { params: { path: { id } } }));

/** Reads the users again that are on the screen. */
export function refreshUsers(queryClient: QueryClient, ref: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: usersKey(ref) });
}

export function useUserActions(ref: string): UserActions {
  const queryClient = useQueryClient();
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    let isDone = true;
    try {
      await work();
    } catch (error) {
      isDone = false;
      showProblem(error);
    }
    await refreshUsers(queryClient, ref);
    return isDone;
  };
  const actions: UserActions = {
    promote: async (user) => {
      await run(async () => {
        await act(ref, user.id, 'promote');
        showToast({
          kind: 'done',
          text: `${fullNameOf(user)} is an administrator of the project.`,
          undo: { label: 'Undo', run: () => void actions.demote(user) },
        });
      });
    },
    demote: async (user) => {
      await run(async () => {
        await act(ref, user.id, 'demote');
        showToast({
          kind: 'done',
          text: `${fullNameOf(user)} is no longer an administrator.`,
          undo: { label: 'Undo', run: () => void actions.promote(user) },
        });
      });
    },
    unban: async (user) => {
      await run(async () => {
        await act(ref, user.id, 'unban');
        showToast({ kind: 'done', text: `${fullNameOf(user)} can sign in again.` });
      });
    },
    endSessions: async (user) => {
      await run(async () => {
        await endSessions(ref, user.id);
        showToast({ kind: 'done', text: `${fullNameOf(user)} is signed out everywhere.` });
      });
    },
    change: (work, done) =>
      run(async () => {
        await work();
        showToast({ kind: 'done', text: done });
      }),
  };
  return actions;
}
