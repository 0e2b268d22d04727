/** Meaning of a word in the SQL dialects, as one letter of a token string (see tokens.ts). */

const table: [kind: string, words: string][] = [
  ['&', 'and or xor'],
  ['!', 'not'],
  ['=', 'like ilike rlike regexp glob'],
  ['o', 'in between is'],
  ['a', 'div mod collate'],
  ['U', 'union'],
  ['E', 'select'],
  ['F', 'from'],
  ['W', 'where'],
  ['A', 'as'],
  ['I', 'into'],
  ['B', 'having limit procedure offset'],
  ['k', 'all distinct distinctrow top any some straight_join sql_no_cache'],
  ['t', 'null true false exists case current_user session_user system_user sysdate'],
];

export const KIND_OF_WORD: ReadonlyMap<string, string> = new Map(
  table.flatMap(([kind, words]) => words.split(' ').map((word): [string, string] => [word, kind])),
);

const OBJECTS =
  'table|database|schema|user|view|index|procedure|function|trigger|column|login|role|sequence|extension|tablespace|alias|proc';

/** Beginnings of statements, by first word: what must follow for the word to begin one. */
export const STATEMENTS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    drop: `(?:${OBJECTS})\\b|\\w+ ?(?:;|--)`,
    create: `(?:or replace |temporary |temp |unique |global )*(?:${OBJECTS})\\b`,
    alter: `(?:${OBJECTS}|session|system)\\b`,
    truncate: `(?:table )?\\w+ ?(?:$|;|--|#)|table\\b`,
    insert: '(?:ignore )?into\\b',
    replace: 'into\\b',
    merge: 'into\\b',
    delete: 'from\\b',
    update: '[\\w.`"[\\]]+ set\\b',
    exec: '(?:[xs]p_|master|msdb|immediate|@|\\()',
    execute: '(?:[xs]p_|master|msdb|immediate|@|\\()',
    declare: '(?:@|\\w+ (?:n?varchar|int|char|cursor|number|table)\\b)',
    waitfor: '(?:delay|time)\\b',
    shutdown: '(?:$|;|--|with nowait|#)',
    grant: '[\\w, ]+ (?:on|to) [\\w*]',
    revoke: '[\\w, ]+ (?:on|from) \\w',
    load: '(?:data|xml)\\b',
    copy: '\\w+ ?(?:\\(|from|to)\\b',
    handler: '\\w+ (?:open|read)\\b',
    begin: '(?:declare|dbms_|execute|\\w+\\.\\w)',
    set: '(?:@|global |session )',
    backup: '(?:database|log)\\b',
    bulk: 'insert\\b',
    attach: 'database\\b',
    rename: 'table\\b',
    do: '(?:sleep|benchmark|\\$\\$)',
    call: '\\w+[.(]',
    kill: '\\d+ ?(?:$|;|--)',
    pragma: '\\w+ ?(?:=|\\(|$)',
  }).map(([word, pattern]) => [word, new RegExp(`^${pattern}`, 'u')]),
);

/** Of these, what cannot be prose. */
export const DEFINITE =
  /^(?:exec(?:ute)?\b ?(?:[xs]p_|master|msdb|immediate|@)|waitfor (?:delay|time) ?['"\d@(]|declare @|alter (?:table|database|user) \S+ (?:add|drop|modify|change|rename|alter|character|engine|convert|identified|set|with)\b|create (?:table|function|procedure|trigger|alias) \S+ ?\(|handler \w+ (?:open|read)|load (?:data|xml) .{0,20}infile|bulk insert|drop (?:table|database|schema|view|user) if exists|\w+ into \S+ ?(?:\([^)]{1,200}\) ?)?(?:values ?\(|select\b)|update \S+ set \S+ ?=)/u;

/** Functions that only an attack calls from a parameter: of time, files, errors and other servers. */
export const DANGEROUS =
  /^(?:sleep|pg_sleep\w*|benchmark|extractvalue|updatexml|xmltype|load_file|randomblob|generate_series|xp_\w+|dbms_\w+|utl_\w+|name_const|pg_read_\w+|pg_ls_dir|lo_import|lo_export|sys_eval|sys_exec|openrowset|opendatasource|openquery|load_extension|readfile|writefile|fts3_tokenizer|getmappingxpath|ctxsys|gtid_subset|gtid_subtract|make_set|export_set|procedure_analyse|query_to_xml|database_to_xml|table_to_xml|dblink_\w+|current_setting|is_srvrolemember)$/u;

/** Functions that are no everyday words. */
export const FUNCTIONS =
  /^(?:ascii|char|chr|nchar|unicode|ord|hex|unhex|substr\w*|mid|left|right|length|len|char_length|octet_length|bit_length|concat\w*|group_concat|string_agg|listagg|wm_concat|cast|convert|coalesce|if|iif|ifnull|isnull|nullif|nvl2?|decode|elt|field|find_in_set|instr|locate|position|lower|upper|lcase|ucase|ltrim|rtrim|lpad|rpad|repeat|replicate|reverse|replace|strcmp|version|user|database|schema|current_\w+|session_user|system_user|user_name|suser_name|db_name|host_name|rand|random|floor|count|sum|min|max|avg|abs|pow|power|md5|sha1|sha2|crc32|json_\w+|to_char|to_number|quote\w*|row|rownum|row_count|exp|ln|log|greatest|least|bin|conv|format|xpath|sqlite_\w+|pg_\w+|regexp_\w+|unistr|rawtohex|aes_\w+|from_base64|to_base64|compress|uncompress\w*|found_rows|last_insert_id|connection_id|now|curdate|sysdate|soundex|values|array|exists|geometrycollection|multipoint|multipolygon|multilinestring|linestring|polygon)$/u;

/** Tables that stand in attacks and hardly in prose. */
export const KNOWN_TABLES =
  /^(?:users?|usuarios?|members?|accounts?|admins?|administrators?|customers?|clientes|employees?|passwords?|credentials|dual|information_schema|sysobjects|syscolumns|sysusers|sqlite_master|pg_\w+|mysql|all_tables|user_tables|tablename|logs?|sessions?|orders|creditcards?|datos)$/u;
