/** Without a session: how to get one. There is nothing to type here, since the token comes in the address. */

import { t } from '../../strings/t.ts';
import { CodeBlock } from '../code/code-block.tsx';
import { NoticePage } from './notice-page.tsx';

export function SignInPage() {
  return (
    <NoticePage title={t('sign_in.title')}>
      <p>{t('sign_in.why')}</p>
      <p>{t('sign_in.how')}</p>
      <CodeBlock code="npx lokal console-url" label={t('sign_in.command')} />
      <p>{t('sign_in.restart')}</p>
    </NoticePage>
  );
}
