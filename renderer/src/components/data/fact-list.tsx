import classes from './fact-list.module.css';

export interface ShownFact {
  name: string;
  value: React.ReactNode;
  /** Of the value; digits in columns where absent. */
  className?: string;
}

/** Names with their values under them. */
export function FactList({ facts, columns = false }: { facts: readonly ShownFact[]; columns?: boolean }) {
  return (
    <dl className={classes.facts} data-columns={columns || undefined}>
      {facts.map(({ name, value, className = 'lk-num' }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={className}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
