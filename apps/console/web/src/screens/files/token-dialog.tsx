import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { ShownOnce } from '../users/shown-once.js';
import { createToken, tokensQuery } from './bucket-queries.js';

const lifetimes = [
  ['', 'Until it is deleted'],
  ['86400', '1 day'],
  ['2592000', '30 days'],
  ['31536000', '1 year'],
] as const;

interface TokenDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

/** Makes a token, and shows it once. */
export function TokenDialog({ slug, onClose }: TokenDialogProps): ReactNode {
  const { ref, url } = useProject();
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: async (body: Parameters<typeof createToken>[2]) =>
      (await createToken(ref, slug, body)).data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery(ref, slug).queryKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const kind = (['read', 'write', 'delete'] as const).find((each) => each === text('kind'));
    const expiresIn = text('expiresIn');
    making.mutate({
      name: text('name').trim(),
      kind: kind ?? 'read',
      ...(expiresIn !== '' && { expiresIn: Number(expiresIn) }),
    });
  };
  const made = making.data;
  if (made)
    return (
      <ShownOnce title="The token is made" label="Token" secret={made.token} onClose={onClose}>
        <Code label="Use it" text={exampleOf(made.kind, `${url}/api/storage/${slug}`)} />
      </ShownOnce>
    );
  return (
    <Dialog title={`New token of ${slug}`} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={making.error} />
          <Field
            label="Name"
            name="name"
            required
            autoFocus
            maxLength={100}
            placeholder="the camera at the door"
            autoComplete="off"
          />
          <Choice label="It may" name="kind" defaultValue="write">
            <option value="write">upload files</option>
            <option value="read">read files</option>
            <option value="delete">delete files</option>
          </Choice>
          <Choice label="Valid for" name="expiresIn" defaultValue="">
            {lifetimes.map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </Choice>
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={making.isPending}>
            Make the token
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The token is left to a variable: commands are pasted into chats. */
function exampleOf(kind: 'read' | 'write' | 'delete', base: string): string {
  const token = `-H "x-bucket-token: $TOKEN"`;
  switch (kind) {
    case 'read':
      return `curl ${token} '${base}/files/hello.txt'`;
    case 'write':
      return `curl ${token} -F path=hello.txt -F file=@hello.txt '${base}/upload'`;
    case 'delete':
      return `curl -X DELETE ${token} '${base}/files/hello.txt'`;
  }
}
