/** A titled part of what was read. */
import type { ReactNode } from 'react';
import classes from './result-part.module.css';

export function ResultPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  );
}
