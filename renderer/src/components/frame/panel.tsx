/** A titled part of a page. */
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title?: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** Without inner spacing, for tables. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, note, actions, flush, className, children }: PanelProps) {
  const id = useId();
  return (
    <section className={`${classes.panel} ${className ?? ''}`} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <div className={classes.head}>
          {title && (
            <h2 className={classes.title} id={id}>
              {title}
            </h2>
          )}
          {note && <span className={classes.note}>{note}</span>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
