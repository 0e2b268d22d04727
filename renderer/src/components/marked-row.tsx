import type { ReactNode } from 'react';

interface MarkedRowProps {
  mark: string;
  page?: number | null;
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A row of the results that lights its box on the page; not a button, so that its text can be selected. */
export function MarkedRow({ mark, page, label, className, children }: MarkedRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, this groups a name and a value
    <div
      className={className}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focus lights the box on the page
      tabIndex={0}
      data-mark={mark}
      data-page={page ?? undefined}
    >
      {children}
    </div>
  );
}
