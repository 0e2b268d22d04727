/** Code to read and take away. Scrolls in both directions and can be reached by keyboard. */

import { ScrollRegion } from '../frame/scroll-region.tsx';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  code: string;
  /** Names the block for screen readers. */
  label: string;
  /** Height in pixels after which it scrolls. */
  maxHeight?: number;
  copyable?: boolean;
}

export function CodeBlock({ code, label, maxHeight, copyable = true }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <ScrollRegion className={classes.code} style={{ maxHeight }} label={label}>
        <pre>{code}</pre>
      </ScrollRegion>
      {copyable && (
        <div className={classes.copy}>
          <CopyButton value={code} label={`${label}: copy`} small />
        </div>
      )}
    </div>
  );
}
