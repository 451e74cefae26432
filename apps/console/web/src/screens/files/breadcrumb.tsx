import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';
import { shownName } from '../../ui/shown-name.js';
import { foldersOf } from './names.js';

interface BreadcrumbProps {
  readonly bucket: string;
  readonly folder: string;
}

/** The way from the bucket to the open folder. */
export function Breadcrumb({ bucket, folder }: BreadcrumbProps): ReactNode {
  const { ref } = useProject();
  const folders = foldersOf(folder);
  const place = 'min-w-0 max-w-64 truncate rounded-sm';
  if (folders.length === 0) return null;
  return (
    <nav aria-label="Folders" className="flex flex-wrap items-center gap-1 text-[14px] text-soft">
      <Link
        from="/projects/$ref/files"
        to="/projects/$ref/files"
        params={{ ref }}
        search={({ sort }) => ({ bucket, sort })}
        className={`${place} hover:text-ink hover:underline`}
      >
        {bucket}
      </Link>
      {folders.map(({ name, key }, index) => (
        <span key={key} className="flex min-w-0 items-center gap-1">
          <ChevronRight aria-hidden className="size-3.5 shrink-0" />
          {index === folders.length - 1 ? (
            <span aria-current="page" className={`${place} font-medium text-ink`}>
              <bdi>{shownName(name)}</bdi>
            </span>
          ) : (
            <Link
              from="/projects/$ref/files"
              to="/projects/$ref/files"
              params={{ ref }}
              search={({ sort }) => ({ bucket, sort, in: key })}
              className={`${place} hover:text-ink hover:underline`}
            >
              <bdi>{shownName(name)}</bdi>
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}
