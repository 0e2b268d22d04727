/** A page of its own for the moments when nothing else can be shown. */
import type { ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';
import classes from './notice-page.module.css';

export function NoticePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <Logo size={36} />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
