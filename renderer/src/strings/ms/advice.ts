import type { Catalogue } from '../catalogue.ts';
import type { advice as en } from '../en/advice.ts';

export const advice: Catalogue<typeof en> = {
  title: 'Model untuk mesin ini',
  open: 'Model yang lebih baik untuk mesin ini',
  lead: 'Model sembang terbuka yang dapat diimport oleh Lokal, dengan keperluannya di sini. Halaman ini berfungsi di luar talian: tiada apa yang ditanya kepada rangkaian, dan tiada apa yang dimuat turun.',
  measuring: 'Mengukur sekali sahaja kelajuan mesin ini membaca memorinya; ini mengambil masa beberapa saat.',
  models: 'Model sembang terbuka',
  memory: 'memori {memory}, {most} daripadanya untuk enjin',
  disk: '{free} kosong pada cakera',
  measured: 'memori dibaca pada {speed} sesaat',
  unmeasured: 'kelajuan memori tidak dapat diukur',
  again: 'Ukur semula',
  all: 'Juga yang tidak muat',
  model: 'Model',
  best: 'paling sesuai',
  fit: 'Muat',
  fits: { good: 'muat', slow: 'muat, tetapi perlahan', tight: 'sempit', none: 'terlalu besar' },
  speed: 'Kelajuan, anggaran',
  context: 'Konteks, token',
  file: 'Fail GGUF, kira-kira',
  tokens: '{from} hingga {to} token/s',
  copy: 'Salin alamat {name}',
  estimate_note:
    'Kelajuan ialah anggaran: setiap token membaca semua pemberat sekali, maka kelajuan memori yang diukur menjadi hadnya, dan 40 hingga 80 % daripadanya dikira; ukurlah ketika sedikit sahaja yang lain berjalan. Perlahan ialah yang menjawab lebih lambat daripada orang membaca. Memori ialah bagi praset Kualiti dengan perbualan 4,096 token. Saiz fail ialah saiz yang lazim; fail pembuat yang berlainan berbeza sedikit. Lesen ialah lesen penerbit: bacalah di sana.',
  found: 'Sudah ada pada mesin ini',
  found_note: 'apa yang disimpan oleh Ollama, LM Studio dan cache Hugging Face; dibaca di tempatnya',
  found_none: 'Tiada apa yang dijumpai dalam folder biasa. Model di tempat lain diimport dengan laluannya.',
  import_name: 'Import {name}',
  stick: 'Cara membawa model dengan pemacu USB',
  steps: {
    get: 'Pada mesin yang mempunyai rangkaian, buka alamat model, terima lesennya, dan muat turun satu fail .gguf (Q4_K_M atau Q8_0), atau seluruh folder dengan fail .safetensors, config.json dan fail tokenizer.',
    check:
      'Catat SHA-256 yang ditunjukkan di sebelah fail (di Hugging Face pada halaman fail itu sendiri). Lokal sendiri tidak mengetahuinya: hasil tambah semak hanya bermakna jika ia daripada penerbitnya.',
    carry:
      'Salin fail ke pemacu USB berformat exFAT atau NTFS: FAT32 tidak dapat menyimpan fail melebihi 4 GB.',
    import:
      'Di sini, di bawah Pek, semak imbas ke pemacu itu atau lepaskan fail. Tampal SHA-256 sebelum mengimport: setiap bait yang tiba dibandingkan.',
    bind: 'Biarkan pek yang diimport melayani svc-lingua-7b, dan tanyakan sesuatu dalam sembang.',
  },
};
