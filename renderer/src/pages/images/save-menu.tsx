/** Answers as files. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { download, siblingName } from '../../export/download.ts';
import { t } from '../../strings/t.ts';
import { type Analysed, cocoJson, objectsCsv } from './image-exports.ts';

interface SaveMenuProps {
  name: string;
  files: () => Analysed[];
  /** Absent where no single picture is shown. */
  onPicture?: () => void;
}

export function SaveMenu({ name, files, onPicture }: SaveMenuProps) {
  const answers = () => {
    const all = files();
    return all.length === 1 ? all[0]?.answer : all.map((file) => ({ file: file.name, ...file.answer }));
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('documents.save')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {onPicture && <Menu.Item onClick={onPicture}>{t('images.save_png')}</Menu.Item>}
        <Menu.Item onClick={() => download(siblingName(name, 'json'), JSON.stringify(answers(), null, 2))}>
          {t('images.save_json')}
        </Menu.Item>
        <Menu.Item onClick={() => download(siblingName(name, 'coco.json'), cocoJson(files()))}>
          {t('images.save_coco')}
        </Menu.Item>
        <Menu.Item onClick={() => download(siblingName(name, 'csv'), objectsCsv(files()), 'text/csv')}>
          {t('images.save_csv')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
