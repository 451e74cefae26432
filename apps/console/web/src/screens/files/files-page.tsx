import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useTitle } from '../../shell/card.js';
import { Notice } from '../../ui/notice.js';
import { useMay, useProject } from '../project/use-project.js';
import { BucketPage } from './bucket-page.js';
import { BucketsPage } from './buckets-page.js';

/** The files of a project: its buckets, and the folders and files of the open one. */
export function FilesPage(): ReactNode {
  const { name } = useProject();
  const { bucket } = useSearch({ from: '/signed-in/projects/$ref/files' });
  useTitle(bucket === undefined ? `Files of ${name}` : `${bucket} – files of ${name}`);
  if (!useMay('content.read'))
    return <Notice kind="plain">Files are shown to operators with content.read.</Notice>;
  return bucket === undefined ? <BucketsPage /> : <BucketPage key={bucket} slug={bucket} />;
}
