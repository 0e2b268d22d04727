import type { CSSProperties, ReactNode } from 'react';

interface ScrollRegionProps {
  label: string;
  className?: string | undefined;
  style?: CSSProperties;
  children: ReactNode;
}

/** A part that scrolls by itself; it takes the focus, so that the arrow keys scroll it too. */
export function ScrollRegion({ label, className, style, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take the keyboard's focus
    <section className={className} style={style} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
