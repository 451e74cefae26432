// Stands in for the package react-remove-scroll (vite.config.js): design.css keeps the page behind a dialog in place.
import type { ElementType, ReactNode } from 'react';

interface RemoveScrollProps {
  readonly as?: ElementType;
  readonly allowPinchZoom?: boolean;
  readonly shards?: unknown;
  readonly enabled?: boolean;
  readonly children?: ReactNode;
}

/** Renders its children, with the remaining properties on the element that `as` names. */
export function RemoveScroll({
  as: As = 'div',
  allowPinchZoom: _zoom,
  shards: _shards,
  enabled: _enabled,
  children,
  ...rest
}: RemoveScrollProps): ReactNode {
  return <As {...rest}>{children}</As>;
}
