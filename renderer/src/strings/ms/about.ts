import type { Catalogue } from '../catalogue.ts';
import type { about as enAbout } from '../en/about.ts';

export const about: Catalogue<typeof enAbout> = {
  title: 'Perihal Lokal',
  lead: 'Versi yang berjalan di sini, tempat simpanannya, dan versi lain daripada fail.',
  this: 'Atur cara ini',
  version: 'Versi',
  program_folder: 'Folder atur cara',
  data_folder: 'Folder data',
  copy: 'Salin: {name}',
  licence: 'Di bawah Apache License 2.0.',
  update: 'Versi lain',
  update_note:
    'Lokal tidak pernah bertanya kepada rangkaian tentang versi. Bawa arkib keluaran bersama fail .sig; kedua-duanya disemak sebelum apa-apa berubah.',
  path: 'Arkib pada mesin ini',
  path_hint: '/media/stick/lokal-1.2.0-linux-x64.tar.zst',
  check: 'Semak',
  found: 'Perkara yang akan berubah',
  from_to: '{from} → {to}, ditandatangani oleh {signer}',
  changes: 'Perubahan',
  packs: 'Pek',
  packages: 'Pustaka',
  database: 'Perubahan pangkalan data',
  install: 'Pasang {version} dan mulakan semula',
  restarting: 'Lokal dimulakan semula dengan versi lain; halaman ini akan menemuinya semula sendiri.',
  replaced: '{time}: telah diganti; versi {version} sedang berjalan.',
  previous: 'Versi {version} disimpan, dengan sandaran datanya.',
  undo: 'Kembali ke {version}',
};
