import type { Catalogue } from '../catalogue.ts';
import type { frame as en } from '../en/frame.ts';

export const frame: Catalogue<typeof en> = {
  shell: {
    skip: 'Langkau ke kandungan',
    loading: 'Memuatkan',
    navigation: 'Utama',
    home: 'Lokal, halaman selamat datang',
    playgrounds: 'Ruang kerja',
    service: 'Perkhidmatan',
    machine: 'Mesin ini',
    connected: 'Disambungkan ke pelayan',
    connecting: 'Menyambung ke pelayan',
    disconnected: 'Pelayan tidak menjawab; sedang mencuba lagi',
    theme: 'Warna: {scheme}. Tukar',
    scheme: { auto: 'ikut sistem', light: 'cerah', dark: 'gelap' },
  },
  meter: {
    label: 'Enjin dan memori',
    none: 'Tiada enjin dimuatkan',
    engines: { other: '{count} enjin' },
    memory: '{used} daripada {most}',
    running: { other: '{count} permintaan' },
  },
  problem: {
    code: 'Ralat',
    param: 'Medan',
    request: 'Permintaan',
    copy_request: 'Salin ID permintaan',
    retry: 'Cuba lagi',
    file_empty: 'Fail ini kosong.',
    file_belied:
      'Fail ini bernama .{ending}, tetapi tiada isi fail seperti itu di dalamnya: fail ini rosak atau salah nama.',
    left_out: 'Diketepikan kerana fail sebegini tidak dibaca: {names}',
    hidden_left_out: { other: '{count} fail tersembunyi diketepikan' },
    file_too_large: 'Saiz fail ini {size}; paling banyak {most} boleh dibaca sekali gus.',
    offline: 'Lokal tidak menjawab. Adakah pelayan masih berjalan?',
    unknown: 'Berlaku ralat yang tidak diketahui.',
  },
  offline: {
    title: 'Lokal tidak menjawab',
    banner:
      'Apa yang ada di halaman ini kekal. Mulakan semula pelayan seperti sebelumnya, misalnya dengan “{command}” dan LOKAL_HOME yang sama jika anda menetapkannya; halaman ini bersambung sendiri sebaik pelayan menjawab.',
    text: 'Antara muka sudah dimuatkan, tetapi pelayan di belakangnya tidak menjawab. Mulakan semula dengan “{command}”; halaman ini bersambung sendiri sebaik pelayan menjawab.',
  },
  crash: {
    title: 'Halaman ini terhenti kerana ralat',
    text: 'Pelayan tidak terjejas dan terus menjawab. Memuatkan semula halaman biasanya membantu.',
    reload: 'Muat semula',
  },
  sign_in: {
    title: 'Buka Lokal melalui alamatnya sendiri',
    why: 'Konsol ini milik orang yang berada di mesin ini, jadi ia hanya dibuka dengan alamat sekali guna. Pelayar ini tiada sesi, atau sesinya sudah tamat.',
    how: 'Minta alamat baharu dalam folder Lokal, kemudian buka alamat yang dipaparkan:',
    command: 'Arahan untuk alamat konsol baharu',
    restart:
      'Memulakan semula Lokal juga memaparkan satu. Atur cara tidak memerlukan halaman ini: atur cara menggunakan /v1 dengan kunci API.',
  },
  not_installed: {
    title: 'Belum ada pek yang boleh menjawab',
    text: 'Model ini menjawab sebaik sahaja satu pek ditetapkan pada peranannya.',
    open: 'Pergi ke Pek',
  },
  code: {
    copied: 'Disalin',
    copy: 'Salin',
    curl: 'curl',
    javascript: 'JavaScript',
    python: 'Python',
    language: 'Bahasa contoh',
    key_note: 'Letakkan dahulu salah satu kunci anda dalam pemboleh ubah persekitaran LOKAL_API_KEY.',
  },
  data: {
    confidence: 'Keyakinan {value}',
  },
  dialog: {
    close: 'Tutup',
    cancel: 'Batal',
    undo: 'Buat asal',
  },
};
