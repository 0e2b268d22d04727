import { describe, expect, it } from 'vitest';
import { detectPii } from '../../support/moderation/shield-pack.ts';

/** Kind and text of what is found with at least even odds. */
function found(text: string): [string, string][] {
  return detectPii(text)
    .filter(({ score }) => score >= 0.5)
    .map(({ kind, start, end }) => [kind, text.slice(start, end)]);
}

describe('personal data', () => {
  it.each([
    ['Email me at jane.doe+x@mail.example.com.', [['email', 'jane.doe+x@mail.example.com']]],
    ['Mail: aminah.yusof @example.com', [['email', 'aminah.yusof @example.com']]],
    ['Call me @example.com today.', []],
    ['lim dot wei dot han at gmail dot com', [['email', 'lim dot wei dot han at gmail dot com']]],
    ['Hana (at) proton (dot) me', [['email', 'Hana (at) proton (dot) me']]],
    ['jane.doe at example.com is mine', [['email', 'jane.doe at example.com']]],
    ['Have a look at lokal.my or at example.com. Look at 5 dot com companies.', []],
    ['See version 2.1 at docs.example.org today.', []],
    ['My email is ahmad at gmail.com', [['email', 'ahmad at gmail.com']]],
    ['Emel saya: hana at example.com', [['email', 'hana at example.com']]],
    ['Email me at example.com, or look at gmail.com.', []],
    ['My IBAN is GB82 WEST 1234 5698 7654 32', [['iban', 'GB82 WEST 1234 5698 7654 32']]],
    ['card 4111 1111 1111 1111 exp 12/30', [['card', '4111 1111 1111 1111']]],
    ['IC saya 990230-14-5678', []],
    ['IC 900131-73-1234 tidak sah', []],
    ['Order 900131-14-5678 has shipped', []],
    ['订单号：900131-14-5678', []],
    ['ref 900131-14-5678', [['mykad', '900131-14-5678']]],
    ['Case 900131-14-5678 closed', [['mykad', '900131-14-5678']]],
    ['Ref 900131-14-5678 is the IC number', [['mykad', '900131-14-5678']]],
    ['NI number AB 12 34 56 C on file', [['national_id', 'AB 12 34 56 C']]],
    ['Please quote AB123456C.', [['national_id', 'AB123456C']]],
    ['QQ 12 34 56 C', [['national_id', 'QQ 12 34 56 C']]],
    [
      'Sort code 20-45-77, account 12345678',
      [
        ['bank_account', '20-45-77'],
        ['bank_account', '12345678'],
      ],
    ],
    ['Her NHS number is 943 476 5919', [['national_id', '943 476 5919']]],
    ['Nombor pesakit 943 476 5919', [['national_id', '943 476 5919']]],
    ['Admitted today, 943 476 5919, ward 4', [['national_id', '943 476 5919']]],
    ['943 476 5919', [['national_id', '943 476 5919']]],
    // Other digits, another form, words of phones and of references.
    ['Please note 943 476 5918', [['phone', '943 476 5918']]],
    ['Please note 943-476-5919', [['phone', '943-476-5919']]],
    ['Call 943 476 5919', [['phone', '943 476 5919']]],
    ['Mobile: 943 476 5919', [['phone', '943 476 5919']]],
    ['ring +1 943 476 5919', [['phone', '+1 943 476 5919']]],
    ['943 476 5919 (office)', [['phone', '943 476 5919']]],
    ['Order 943 476 5919 has shipped', []],
    ['serial 943 476 5919', []],
    ['my aadhaar 2345 6789 0124', [['national_id', '2345 6789 0124']]],
    ['PAN ABCPE1234F', [['national_id', 'ABCPE1234F']]],
    ['no. ktp 3171011708450001', [['national_id', '3171011708450001']]],
    ['Order AB 12 34 56 C has shipped', []],
    ['Item GB 12 34 56 A and 9434765919 of batch 20-45-77', []],
    ['The score was 20-45-77, part ABCPE1234F', []],
    ['Total 2345 6789 0124 units, code AB 12 34 56 E', []],
    ['MAC 00:1A:2B:3C:4D:5E seen', [['mac_address', '00:1A:2B:3C:4D:5E']]],
    ['login from 203.0.113.7 failed', [['ip_address', '203.0.113.7']]],
    ['fe80::1ff:fe23:4567:890a is up', [['ip_address', 'fe80::1ff:fe23:4567:890a']]],
    ['upgrade to version 10.2.3.4 now', []],
    ['telefon 012-345 6789', [['phone', '012-345 6789']]],
    ['e-mail or 082-448 219 by noon', [['phone', '082-448 219']]],
    ['手机 13812345678 联系', [['phone', '13812345678']]],
    ['akaun Maybank 114012345678', [['bank_account', '114012345678']]],
    ['passport no A12345678', [['passport', 'A12345678']]],
    ['Pasport saya A 5567812 hilang', [['passport', 'A 5567812']]],
    ['Born on 12 March 1985 in Ipoh', [['date_of_birth', '12 March 1985']]],
    ['The war ended on 12 March 1985', []],
    ['陈先生于2026年11月9日受伤', []],
    ['他生于1988年3月14日', [['date_of_birth', '1988年3月14日']]],
    ['生日是1990年5月6号', [['date_of_birth', '1990年5月6号']]],
    ['寄到广州市体育西路103号维多利广场A座1801室', [['address', '广州市体育西路103号维多利广场A座1801室']]],
    ['Registration number JQR 8812', [['vehicle_registration', 'JQR 8812']]],
    ['车牌：VBK 2207', [['vehicle_registration', 'VBK 2207']]],
    ['他的车是粤B·12345', [['vehicle_registration', '粤B·12345']]],
    ['The car repair cost RM 1250', []],
    ['AKIAIOSFODNN7EXAMPLE leaked', [['api_key', 'AKIAIOSFODNN7EXAMPLE']]],
    [
      'No. 12, Jalan Bukit Bintang, 55100 Kuala Lumpur',
      [['address', 'No. 12, Jalan Bukit Bintang, 55100 Kuala Lumpur']],
    ],
    ['他住在北京市朝阳区建国路88号', [['address', '北京市朝阳区建国路88号']]],
    ['I live at 221 Baker Street', [['address', '221 Baker Street']]],
    [
      'He lives at 12 Jalan Ampang, 50450 Kuala Lumpur. Born 3 May 1980.',
      [
        ['address', '12 Jalan Ampang, 50450 Kuala Lumpur'],
        ['date_of_birth', '3 May 1980'],
      ],
    ],
    ['Address: 4 St. James Ave., Springfield. Call me.', [['address', '4 St. James Ave., Springfield']]],
    ['Ahmad Faiz bin Abdullah hadir', [['name', 'Ahmad Faiz bin Abdullah']]],
    ['My name is Jane Doe', [['name', 'Jane Doe']]],
    ['我叫王小明', [['name', '王小明']]],
    ['Barack Obama gave a speech in 2012.', []],
    ['The score was 3-2 after 90 minutes, 45000 watched.', []],
    ['Order 20240131-778 ships Monday.', []],
  ] as [string, [string, string][]][])('%s', (text, expected) => expect(found(text)).toEqual(expected));

  it.each([
    ['I want my daughter Alina on the policy', ['Alina']],
    ["Here is Matej's address", ['Matej']],
    ['Her maiden name is Josefsen', ['Josefsen']],
    ['User: Vilma Holm', ['Vilma Holm']],
    ['> Alma Jensen\n> Acme\n> 9 High Street', ['Alma Jensen']],
    ['They had 3: Efimiya, Mary and Erik.', ['Efimiya', 'Mary', 'Erik']],
    ['My name is Josef Novak. Josef lives here.', ['Josef Novak', 'Josef']],
    ['Anak saya Nurin sakit', ['Nurin']],
    ['Call Kumaran a/l Subramaniam now.', ['Kumaran a/l Subramaniam']],
    ['Hubungi Faridah binti Osman segera.', ['Faridah binti Osman']],
    ['收件人：陈美玲', ['陈美玲']],
    ['Please can you help? Pelancong boleh masuk. Apples, Pears, Plums and Figs.', []],
  ] as [string, string[]][])('names in context: %s', (text, expected) => {
    const names = detectPii(text).filter(({ kind, score }) => kind === 'name' && score >= 0.3);
    expect(names.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });

  it('reads full-width digits and digits split by invisible characters, with the offsets of the original', () => {
    const text = 'IC: 90０131\u200B-13-12\u200B34 ok';
    expect(found(text)).toEqual([['mykad', '90０131\u200B-13-12\u200B34']]);
  });

  it.each(['市', '王先生', '1 ', '路1号', 'Jalan Aa 1, ', 'a@', '12 Aa '])(
    'reads 32 KB of %j to the end',
    (sign) => {
      const text = `${sign.repeat(32_000 / Buffer.byteLength(sign))} x@example.com`;
      expect(found(text.slice(-13))).toEqual([['email', 'x@example.com']]);
      expect(detectPii(text).at(-1)?.kind).toBe('email');
    },
  );
});

describe('what a letter names without exposing anybody', () => {
  const all = (text: string) => detectPii(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

  it.each([
    ['Mr Omar drives WXY 4471.', ['vehicle_registration', 'WXY 4471']],
    [
      'Ms Nurul said the lorry JQR 8812 was driven by Mr Raju a/l Muthu.',
      ['vehicle_registration', 'JQR 8812'],
    ],
    ['Kereta saya BKV 23 no. plat BKV 2311 A', ['vehicle_registration', 'BKV 2311 A']],
    ['Bank: Maybank 5140 1122 8899', ['organization', 'Maybank']],
    ['Akaun CIMB 8001 2233 44.', ['organization', 'CIMB']],
  ])('%s', (text, span) => expect(all(text)).toContainEqual(span));

  it.each([
    'The lorry meets ISO 9001, the driver flew MH 370 and paid RM 1250 in FEB 2026.',
    'Registration of the car cost RM4471, its plate RM 50.',
    'Registration closes DEC 2026, under ACT 2001, SEC 12 of the rules.',
    'The lorry of BHD 1234 weighs KG 2000; the truck arrives at ETA 1430.',
    'The taxi took AED 4000 and EUR 4500 from THE 2024 bus.',
  ])('no flight, standard, price, measure, month or word is a plate: %s', (text) => {
    expect(all(text).map(([kind]) => kind)).not.toContain('vehicle_registration');
  });
});

describe('a number that a label calls an account’s or a customer’s', () => {
  const masked = (text: string) =>
    detectPii(text)
      .filter(({ kind }) => ['account_number', 'bank_account', 'card', 'phone'].includes(kind))
      .map(({ start, end }) => text.slice(start, end));

  it.each([
    ['Account no: 12345678', '12345678'],
    ['Please look at account 558812.', '558812'],
    ['Customer number: C-204417', 'C-204417'],
    ['customer ID 100234', '100234'],
    ['No. akaun: 8800123', '8800123'],
    ['Nombor pelanggan 55-10234', '55-10234'],
    ['Kundennummer 99-1203, danke', '99-1203'],
    ['我的账号：6688123', '6688123'],
    ['客户编号是 KH20314', 'KH20314'],
    ['Your insurance policy number: MT-2024-558812 ends in May.', 'MT-2024-558812'],
    ['No. polisi: KL/88123/24', 'KL/88123/24'],
    ['Nombor polisi insurans saya ialah 7712003391.', '7712003391'],
    ['保险单号 882100345 已生效', '882100345'],
    ['My IMEI is 490154203237518.', '490154203237518'],
  ])('%s', (text, value) => expect(masked(text)).toEqual([value]));

  it.each([
    'The account holds 12,500 ringgit.',
    'Customer 12 of 500 came in.',
    'The account was opened in March 2024.',
    'Our customer paid 12345.67 today.',
    'Our privacy policy 20245 no longer covers 12345 items.',
    '保单2024年生效',
  ])('none in: %s', (text) => expect(masked(text)).toEqual([]));
});

it('a password ends before the mark that ends its clause', () => {
  expect(found('my password is hunter2; call me')).toEqual([['api_key', 'hunter2']]);
  expect(found('Password: hunter2.')).toEqual([['api_key', 'hunter2']]);
  expect(found('password: hu;nter2!')).toEqual([['api_key', 'hu;nter2!']]);
});
