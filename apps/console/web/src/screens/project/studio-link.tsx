import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';

/** The way to the studio of a project, at the address of the project itself. */
export function StudioLink({ url }: { readonly url: string }): ReactNode {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className="inline-flex h-9 shrink-0 items-center gap-2 rounded-md border border-line-strong/60 bg-surface px-3.5 font-medium whitespace-nowrap shadow-lift hover:bg-hover max-sm:px-2.5"
    >
      <ExternalLink aria-hidden className="size-4" />
      Open studio
      <span className="sr-only">(new tab)</span>
    </a>
  );
}
