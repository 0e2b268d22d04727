/** The conversation as a file. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ChatRequest } from '../../../../../server/api/services/chat.ts';
import { download } from '../../../export/download.ts';
import { t } from '../../../strings/t.ts';
import { toFileName, toJson, toMarkdown } from '../model/export.ts';
import type { TreeNode } from '../model/tree.ts';

export function ExportMenu({ request, path }: { request: ChatRequest; path: TreeNode[] }) {
  const title = path[0]?.message.content.trim().split('\n')[0]?.slice(0, 80) ?? '';
  const system = request.messages[0]?.role === 'system' ? String(request.messages[0].content) : '';
  const name = toFileName(title);
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          disabled={path.length === 0}
        >
          {t('chat.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download(`${name}.md`, toMarkdown(title, system, path), 'text/markdown')}>
          {t('chat.export_markdown')}
        </Menu.Item>
        <Menu.Item onClick={() => download(`${name}.json`, toJson(title, request, path))}>
          {t('chat.export_json')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
