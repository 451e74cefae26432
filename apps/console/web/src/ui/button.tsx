import type { ComponentProps, ReactNode } from 'react';

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover shadow-lift',
  plain: 'bg-surface text-ink border border-line-strong/60 hover:bg-hover shadow-lift',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover shadow-lift',
} as const;

const sizes = {
  normal: 'h-9 px-3.5 gap-2',
  icon: 'size-9 justify-center',
  small: 'h-7 px-2 gap-1.5 text-[13px]',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof looks;
  readonly size?: keyof typeof sizes;
  /** The work of the button is under way: it keeps the focus, and does nothing when it is pressed. */
  readonly busy?: boolean;
}

/** Every button of the console. One with an icon alone needs `aria-label`. */
export function Button({
  look = 'plain',
  size = 'normal',
  busy = false,
  disabled,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type={type}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // Nor does it submit its form.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={`inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors disabled:cursor-default disabled:opacity-55 aria-disabled:cursor-default aria-disabled:opacity-55 ${looks[look]} ${sizes[size]} ${className}`}
      {...rest}
    />
  );
}
