/** Place codes of Malaysian identity-card numbers: the 7th and 8th digit (National Registration Department). */

const codesByState: Record<string, string[]> = {
  Johor: ['01', '21', '22', '23', '24'],
  Kedah: ['02', '25', '26', '27'],
  Kelantan: ['03', '28', '29'],
  Melaka: ['04', '30'],
  'Negeri Sembilan': ['05', '31', '59'],
  Pahang: ['06', '32', '33'],
  'Pulau Pinang': ['07', '34', '35'],
  Perak: ['08', '36', '37', '38', '39'],
  Perlis: ['09', '40'],
  Selangor: ['10', '41', '42', '43', '44'],
  Terengganu: ['11', '45', '46'],
  Sabah: ['12', '47', '48', '49'],
  Sarawak: ['13', '50', '51', '52', '53'],
  'Wilayah Persekutuan Kuala Lumpur': ['14', '54', '55', '56', '57'],
  'Wilayah Persekutuan Labuan': ['15', '58'],
  'Wilayah Persekutuan Putrajaya': ['16'],
};

const places = new Map(
  Object.entries(codesByState).flatMap(([state, codes]) => codes.map((code) => [code, state])),
);

const isAbroad = (code: number): boolean =>
  (code >= 60 && code <= 68) ||
  (code >= 71 && code <= 79) ||
  (code >= 83 && code <= 93) ||
  code === 98 ||
  code === 99;

/** The state of birth, `abroad`, `unknown`, or null for a code that is never given. */
export function placeOf(code: string): string | null {
  const state = places.get(code);
  if (state) return state;
  if (code === '82') return 'unknown';
  return isAbroad(Number(code)) ? 'abroad' : null;
}
