import type { Catalogue } from '../catalogue.ts';
import type { about as enAbout } from '../en/about.ts';

export const about: Catalogue<typeof enAbout> = {
  title: '关于 Lokal',
  lead: '此处运行的版本、各文件夹的位置，以及如何从文件换用另一版本。',
  this: '本程序',
  version: '版本',
  program_folder: '程序文件夹',
  data_folder: '数据文件夹',
  copy: '复制：{name}',
  licence: '依据 Apache License 2.0 许可。',
  update: '另一版本',
  update_note: 'Lokal 从不联网查询版本。请带来发行归档及其 .sig 文件；两者经核验后才会有任何更改。',
  path: '本机上的归档',
  path_hint: '/media/stick/lokal-1.2.0-linux-x64.tar.zst',
  check: '检查',
  found: '将会更改的内容',
  from_to: '{from} → {to}，由 {signer} 签名',
  changes: '更改',
  packs: '模型包',
  packages: '程序库',
  database: '数据库更改',
  install: '安装 {version} 并重新启动',
  restarting: 'Lokal 正以另一版本重新启动；本页会自动重新连接。',
  replaced: '{time}：已替换；正在运行版本 {version}。',
  previous: '保留了版本 {version} 及其数据备份。',
  undo: '恢复到 {version}',
};
