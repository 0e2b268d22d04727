/** The language, one click from everywhere: who cannot read the interface finds it by its sign and by the languages' own names. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { chooseLanguage, currentLanguage, languageNames, languages } from '../../strings/language.ts';
import { t } from '../../strings/t.ts';

export function LanguageMenu() {
  return (
    <Menu position="right-end" shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('settings.language')}
          title={t('settings.language')}
        >
          <IconLanguage size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={language === currentLanguage() || undefined}
            onClick={() => void chooseLanguage(language)}
          >
            {languageNames[language]}
            {/* A system without its characters draws boxes. */}
            {language === 'zh' && ' (Chinese)'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
