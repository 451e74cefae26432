// What operators read and change of their own account. In the studio it is an account of the project.
import {
  queryOptions,
  useMutation,
  type UseMutationResult,
  useQueryClient,
} from '@tanstack/react-query';

import { answer, api } from '../../api/client.js';
import { isStudio } from '../../api/place.js';
import { continueSession, currentToken } from '../../session/session.js';
import { endOnServer } from '../../session/sign-out.js';
import * as ownAccount from '../studio/own-account.js';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => answer(api.GET('/platform/sessions')),
});

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: () => answer(api.GET('/auth/two-factor/trusted-devices')),
});

/** A change of the account. What the page shows is read again afterwards. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      onDone?.(output);
      await queryClient.invalidateQueries();
    },
  });
}

export async function changePassword(input: {
  readonly currentPassword: string;
  readonly newPassword: string;
}): Promise<void> {
  if (isStudio()) return ownAccount.changePassword(input);
  await answer(api.POST('/platform/password', { body: input }));
}

export async function endOtherSession(id: string): Promise<void> {
  await answer(api.DELETE('/platform/sessions/{id}', { params: { path: { id } } }));
}

export async function forgetDevice(id: string): Promise<void> {
  await answer(api.DELETE('/auth/two-factor/trusted-devices/{id}', { params: { path: { id } } }));
}

/** Begins an enrolment. Nothing has changed until a code confirms it. */
export function beginEnrolment(password: string) {
  if (isStudio()) return ownAccount.beginEnrolment(password);
  return answer(api.POST('/auth/two-factor/enable', { body: { password } }));
}

/** Confirms an enrolment. The session goes on under another token. */
export async function confirmEnrolment(code: string): Promise<void> {
  if (isStudio()) return ownAccount.confirmEnrolment(code);
  const before = currentToken();
  const { token } = await answer(api.POST('/auth/two-factor/verify-totp', { body: { code } }));
  if (!continueSession(before, token)) await endOnServer(token);
}

export async function turnSecondFactorOff(password: string): Promise<void> {
  if (isStudio()) return ownAccount.turnSecondFactorOff(password);
  const before = currentToken();
  const { token } = await answer(api.POST('/auth/two-factor/disable', { body: { password } }));
  if (token !== before && !continueSession(before, token)) await endOnServer(token);
}

export function replaceBackupCodes(password: string) {
  if (isStudio()) return ownAccount.replaceBackupCodes(password);
  return answer(api.POST('/auth/two-factor/generate-backup-codes', { body: { password } }));
}
