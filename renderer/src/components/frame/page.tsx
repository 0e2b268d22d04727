/** A page's heading, its one sentence, its actions, and the body below. */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Lokal`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
