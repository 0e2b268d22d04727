import { NumberInput } from '@mantine/core';

interface NumberFieldProps {
  label: string;
  description?: string;
  suffix?: string;
  /** The label is for screen readers alone, inside tables. */
  quiet?: boolean;
  value: number;
  error: string | null;
  onChange: (value: number) => void;
}

/**
 * A whole number; an emptied field is out of bounds until something is typed. A sign or a point stays as it was typed and is
 * told of: dropped, they would make another number.
 */
export function NumberField({ label, quiet, value, onChange, ...rest }: NumberFieldProps) {
  return (
    <NumberInput
      {...(quiet ? { 'aria-label': label, w: 140 } : { label })}
      {...rest}
      value={Number.isNaN(value) ? '' : value}
      thousandSeparator=","
      hideControls
      onChange={(next) => onChange(next === '' ? Number.NaN : Number(next))}
    />
  );
}
