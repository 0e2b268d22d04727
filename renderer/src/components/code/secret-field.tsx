/** A secret shown once: selectable, with a copy button that has words. */
import { useId } from 'react';
import { t } from '../../strings/t.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './secret-field.module.css';

export function SecretField({ label, secret }: { label: string; secret: string }) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.row}>
        <input
          id={id}
          className={classes.input}
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={secret} label={t('code.copy')} text />
      </div>
    </div>
  );
}
