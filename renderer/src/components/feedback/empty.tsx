import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface EmptyProps {
  title: string;
  text?: string;
  icon?: ReactNode;
  action?: ReactNode;
}

/** Shown while there is nothing yet: says what belongs here and how it comes. */
export function Empty({ title, text, icon, action }: EmptyProps) {
  return (
    <div className={classes.empty} data-empty>
      {icon && <div className={classes.icon}>{icon}</div>}
      <div className={classes.title}>{title}</div>
      {text && <div className={classes.text}>{text}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
