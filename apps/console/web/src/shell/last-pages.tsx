import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { isStudio } from '../api/place.js';
import { Button } from '../ui/button.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { Card } from './card.js';

/** For an address that is no page. */
export function NotFoundPage(): ReactNode {
  return (
    <Card title="Page not found" about="There is no page at this address.">
      <Link to="/" className="text-accent underline underline-offset-2">
        {isStudio() ? 'Go to the home of the project' : 'Go to the projects'}
      </Link>
    </Card>
  );
}

/** For an error that no screen has expected. */
export function ErrorPage({ error }: { readonly error: unknown }): ReactNode {
  return (
    <Card title="This page failed" about="Load it again. If it fails again, report what is below.">
      <ProblemNotice of={error} />
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </Card>
  );
}
