import { expect, test } from 'vitest';
import { detectPii } from '../../support/moderation/shield-pack.ts';

const names = (text: string) =>
  detectPii(text)
    .filter(({ kind, score }) => kind === 'name' && score >= 0.3)
    .map(({ start, end }) => text.slice(start, end));

test.each<[text: string, expected: string[]]>([
  ['Nama saya siti aminah binti abu bakar, tinggal di Ipoh.', ['siti aminah']],
  ['AHMAD FAIZAL BIN ABDULLAH telah hadir.', ['AHMAD FAIZAL BIN ABDULLAH']],
  ['Sila hubungi Encik Azman di kaunter.', ['Azman']],
  ["Yang hadir ialah Dato' Sri Haji Ismail Sabri.", ['Ismail Sabri']],
  [
    'Muthu a/l Raman dan Kavitha a/p Subramaniam menandatangani borang.',
    ['Muthu a/l Raman', 'Kavitha a/p Subramaniam'],
  ],
  ['Bayaran atas nama Nurul Huda Ismail.', ['Nurul Huda Ismail']],
  ['Mangsa, Lee Chong Wei, 34, dibawa ke hospital.', ['Lee Chong Wei']],
  ['Puan Sri Rohani Karim menyampaikan hadiah.', ['Rohani Karim']],
  ['Suami saya, Farid, kerja malam.', ['Farid']],
  ['Kak Ros suruh datang awal.', ['Ros']],
  ['Pemilik rumah itu bernama Tan Siew Ling.', ['Tan Siew Ling']],
  ['Surat kepada Hafizah Osman sudah dihantar.', ['Hafizah Osman']],
  ['my name is kelly ong and i live here', ['kelly ong']],
  ['Please add Aditi Rao as guardian.', ['Aditi Rao']],
  ['John told me that Priya called.', ['John', 'Priya']],
  ['Yesterday I met with Carlos Mendes.', ['Carlos Mendes']],
  ['Dear Ms. Thompson, thank you.', ['Thompson']],
  ['Signed: Wojciech Nowak', ['Wojciech Nowak']],
  ['The witness, Emily Carter, 29, said nothing.', ['Emily Carter']],
  ['Why is Danish so angry?', ['Danish']],
  ['Speak to Katarzyna at the desk.', ['Katarzyna']],
  ['Customer: Lim Ah Kow\nPhone: 012', ['Lim Ah Kow']],
  ['Regards,\nJonathan Tay', ['Jonathan Tay']],
  ['Best,\nMei Ling', ['Mei Ling']],
  ['Anna and Peter went home.', ['Anna', 'Peter']],
  ['Meet John Smith and Mary Jones.', ['John Smith', 'Mary Jones']],
  ['Done. Thank Thomas for it.', ['Thomas']],
  ['San Diego Zoo opens.', []],
  ['我叫李明，住在槟城。', ['李明']],
  ['请联系王小明，电话 012-3456789。', ['王小明']],
  ['王小明的电话是 012-3456789。', ['王小明']],
  ['患者：张丽华，女，45岁。', ['张丽华']],
  ['陈志强住在吉隆坡。', ['陈志强']],
  ['老师林美玲说明天放假。', ['林美玲']],
  ['被告刘伟与原告赵静和解。', ['刘伟', '赵静']],
  ['收件人：黄家豪', ['黄家豪']],
  ['感谢周杰先生的帮助。', ['周杰']],
  ['把钱转账给吴国荣，谢谢。', ['吴国荣']],
  ['欧阳娜娜今年二十岁。', ['欧阳娜娜']],
  ['学生郑子豪，15岁，来自怡保。', ['郑子豪']],
])('%s', (text, expected) => {
  const found = names(text);
  for (const name of expected)
    expect(found.some((each) => name.includes(each) || each.includes(name))).toBe(true);
  for (const each of found)
    expect(expected.some((name) => name.includes(each) || each.includes(name))).toBe(true);
});

test.each([
  'Kuala Lumpur is the capital of Malaysia.',
  'The Quick Brown Fox jumps.',
  'Please open the Settings page and press Save.',
  'Microsoft Word is slow today.',
  'Pizza is very good here.',
  'Add Google Maps as default.',
  'Transfer it to Maybank Berhad.',
  'The recycle bin is full.',
  'Why is Windows so slow?',
  'my name is not important',
  'Tell Support that it fails.',
  'Note: "Do not touch"\nWarning: Hot',
  'Total: RM 5\nSubtotal: RM 4',
  'New York, 12 May',
  'Apple, Google and Microsoft rose.',
  'Penang, Perak, Kedah and Perlis.',
  'Universiti Malaya menerima pelajar.',
  'Jalan Tun Razak sesak.',
  'Kerajaan Malaysia mengumumkan bajet.',
  'Sila hantar kepada Jabatan Pendidikan Negeri.',
  'Surat daripada Bank Negara Malaysia.',
  'Saya Suka Makan Nasi Lemak.',
  'Hari Raya Aidilfitri tiba.',
  '高兴见到你。',
  '方法很简单，大家都会。',
  '金额今天已到账。',
  '白天的家里很安静。',
  '任何问题请联系客服。',
  '学生高兴地说话。',
  '请通知有关部门。',
  '老师常说要努力。',
  '马路在修。',
  '石油今年涨价。',
  '医生说没事。',
  '何时出发？',
  '万一下雨怎么办？',
  '向前走，然后右转。',
  '联系方式：电话',
  '经理安排会议。',
  '汤的味道很好，今天还有。',
  '黄金的家用电器。',
  'Call me back later.',
  'name: required',
  'Gave Notice the next day.',
  'Send Report to the team.',
  'I am Happy.',
  'This is Great News.',
])('names nobody: %s', (text) => {
  expect(names(text)).toEqual([]);
});
