import { CodeBlock } from './code-block.tsx';

/** An answer as it came, indented. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock code={JSON.stringify(value, null, 2)} label={label} maxHeight={620} />;
}
