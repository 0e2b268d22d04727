/** A titled part of a page. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title?: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** Without inner spacing, for tables. */
  flush?: boolean;
  className?: string;
  /** Names the part in `?part=…` of its page. */
  part?: string;
  children: ReactNode;
}

export function Panel({ title, note, actions, flush, className, part, children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={`${classes.panel} ${className ?? ''}`}
      data-part={part}
      aria-labelledby={title ? id : undefined}
    >
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
      {flush ? (
        <Flush titleId={title && id}>{children}</Flush>
      ) : (
        <div className={classes.body}>{children}</div>
      )}
    </section>
  );
}

/** Takes the focus only while its content is wider than the panel, so that the arrow keys can scroll it. */
function Flush({ titleId, children }: { titleId: string | undefined; children: ReactNode }) {
  const { ref, overflows } = useOverflow();
  const focusable = overflows ? { tabIndex: 0, role: 'group', 'aria-labelledby': titleId } : {};
  return (
    <div className={classes.flush} ref={ref} data-overflows={overflows || undefined} {...focusable}>
      {children}
    </div>
  );
}

function useOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  // After every render as well: the content may have grown while the panel kept its size.
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setOverflows(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return { ref, overflows };
}
