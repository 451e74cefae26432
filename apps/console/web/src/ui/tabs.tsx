import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly content: ReactNode }[];
  /** The name of the open tab; the first one unless it is given. */
  readonly open?: string | undefined;
  readonly onOpen?: (name: string) => void;
}

/** Parts of which one is shown at a time. The arrow keys go from tab to tab. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps): ReactNode {
  return (
    <Radix.Root
      {...(open === undefined ? { defaultValue: tabs[0]?.name ?? '' } : { value: open })}
      {...(onOpen && { onValueChange: onOpen })}
    >
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ name }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px h-9 rounded-t-md border-b-2 border-transparent px-3 text-[14px] font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} className="pt-4">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
