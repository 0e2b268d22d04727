/** Names that mean code rather than prose when an opening parenthesis follows: functions of SQL dialects and of PHP. */

export const SQL_FUNCTIONS =
  'abs|acos|adddate|addtime|aes_(?:de|en)crypt|array_agg|ascii|asin|atan2?|avg|benchmark|bin|bin_to_uuid|bit_(?:and|or|xor|count|length)|cast|ceil(?:ing)?|char|char_length|character_length|charset|chr|coalesce|coercibility|collation|compress|concat|concat_ws|connection_id|conv|convert|convert_tz|cos|cot|count|cr32|crc32|cur(?:date|time)|current_(?:date|time|timestamp|user|database|setting|schema)|database|database_to_xml|date|date_(?:add|format|sub)|datediff|day|dayname|dayof(?:month|week|year)|db_(?:id|name)|dcount|decode|default|degrees|des_(?:de|en)crypt|dump|elt|encode|encrypt|exp|export_set|extract|extractvalue|field|field_?in_?set|find_in_set|first|floor|format|found_rows|from_(?:base64|days|unixtime)|generate_series|get_(?:format|lock)|greatest|group_concat|has_(?:table|schema)_privilege|hex|hextoraw|host_name|hour|if|ifnull|iif|inet6?_(?:aton|ntoa)|insert|instr|interval|is_(?:free|used)_lock|isnull|json_\\w{3,}|last|last_day|last_insert_(?:id|rowid)|lcase|least|left|length|likelihood|ln|lo_(?:export|get|import|put)|load_file|local(?:time|timestamp)?|locate|log|log10|log2|lower|lpad|ltrim|make_?set|makedate|master_pos_wait|max|md5|microsecond|mid|min|minute|mod|month|monthname|multipoint\\w*|name_const|now|nullif|nvl2?|object_(?:id|name)|oct|octet_length|old_password|openquery|openrowset|ord|ordinal|password|patindex|period_(?:add|diff)|pg_\\w{3,}|pi|position|pow(?:er)?|printf|procedure_analyse|quarter|quote|radians|rand|randomblob|rawtohex|regexp_(?:instr|like|replace|substr)|release_lock|repeat|replace|replicate|reverse|right|round|row_count|rpad|rtrim|schema|schema_name|sec_to_time|second|session_user|sha1|sha2?|sign|sin|sleep|soundex|space|sql_?variant|sqlite_\\w{3,}|sqrt|stddev|str_to_date|strcmp|strftime|string_agg|string_to_array|stuff|subdate|substr|substring|substring_index|subtime|sum|suser_s?name|sys\\.\\w{3,}|sys_context|sysdate|system_user|table_to_xml|tan|time|timediff|timestamp|timestamp(?:add|diff)|to_(?:base64|char|date|days|number|seconds)|trim|truncate|uncompress|uncompressed_length|unhex|unistr|unnest|unix_timestamp|updatexml|upper|user|user_(?:id|name)|utc_(?:date|time|timestamp)|utl_\\w{3,}\\.\\w{3,}|uuid|uuid_short|values|variance|version|week|weekday|weekofyear|xmltype|xpath|year|yearweek|zeroblob';

/** Families of PHP functions by their prefix, then single ones. */
export const PHP_FUNCTIONS =
  '(?:apache|apcu?|array|bc|bz|call|cal|class|com|ctype|curl|date|db2|dba|deflate|dns|dom|easter|eio|enchant|ereg|exif|expect|fbird|fdf|file|filter|forward|ftp|func|gc|get|geoip|gmp|gnupg|gz|hash|header|highlight|html|http|iconv|ibase|image|imap|inflate|ini|inotify|iptc|is|iterator|json|jdto\\w|ldap|libxml|mb|mcrypt|mhash|ming|msg|mssql|mysqli?|ncurses|net_get|nsapi|ob|oci|odbc|opcache|openssl|output|parse|password|pcntl|pg|php|phpdbg|posix|preg|proc|pspell|random|readline|recode|register|runkit|sem|session|set|shell|shm|shmop|simplexml|snmp\\d?|socket|sodium|spl|sqlite|sqlsrv|ssh2|stats|stream|str|substr|svn|sybase|sys|syslog|tidy|token|trigger|uopz|utf8|variant|var|wddx|win32|xattr|xdiff|xml|xmlrpc|xmlwriter|yaml|zend|zip|zlib)_[a-z0-9_]{2,}|' +
  'addcslashes|addslashes|assert|assert_options|base64_(?:de|en)code|base_convert|basename|bin2hex|bz(?:de)?compress|bzopen|checkdate|checkdnsrr|chdir|chgrp|chmod|chown|chroot|chunk_split|closedir|closelog|compact|constant|convert_uu(?:de|en)code|copy|crypt|dechex|decbin|dir|dirname|disk_(?:free|total)_space|dl|error_(?:get_last|log|reporting)|escapeshell(?:arg|cmd)|eval|exec|exit|die|explode|extension_loaded|extract|fclose|fdatasync|fflush|fgetcsv?|fgetss?|file|fileatime|filectime|filegroup|fileinode|filemtime|fileowner|fileperms|filesize|filetype|flock|fnmatch|fopen|fpassthru|fprintf|fputcsv|fputs|fread|fscanf|fsockopen|fstat|fsync|ftok|ftruncate|function_exists|fwrite|gethostby(?:addr|namel?)|gethostname|getallheaders|getcwd|getdate|getenv|getimagesize|getlastmod|getmy(?:gid|inode|pid|uid)|getmxrr|getopt|getrandmax|getrusage|getservby(?:name|port)|gettype|glob|gmdate|gz(?:compress|decode|deflate|encode|file|inflate|open|passthru|read|uncompress|write)|hebrev|hex2bin|hexdec|hrtime|idate|implode|import_request_variables|include|include_once|interface_exists|intdiv|intval|ip2long|isset|jdmonthname|join|key_exists|lcfirst|lchgrp|lchown|leak|levenshtein|link|linkinfo|localeconv|long2ip|lstat|mail|mb_send_mail|md5_file|metaphone|method_exists|microtime|mime_content_type|mkdir|mktime|move_uploaded_file|mysql|natcasesort|natsort|nl2br|number_format|octdec|opendir|openlog|pack|parse_ini_(?:file|string)|parse_str|parse_url|passthru|pathinfo|pclose|pfsockopen|phpcredits|phpinfo|phpversion|popen|print_r|printf|property_exists|putenv|quotemeta|range|rawurl(?:de|en)code|readdir|readfile|readlink|realpath|rename|require|require_once|restore_error_handler|rewinddir|rmdir|scandir|serialize|setcookie|setlocale|setrawcookie|settype|sha1_file|shell_exec|show_source|shuffle|similar_text|simplexml_load_(?:file|string)|sizeof|sleep|spliti|sprintf|sscanf|str_(?:replace|rot13|shuffle|split)|strcasecmp|strcmp|strcspn|strftime|strip_tags|stripcslashes|stripos|stripslashes|stristr|strlen|strpbrk|strptime|strrchr|strrev|strspn|strstr|strtok|strtolower|strtotime|strtoupper|strtr|strval|substr|symlink|syslog|system|tempnam|tmpfile|touch|trim|uasort|ucfirst|ucwords|uksort|umask|uniqid|unlink|unpack|unserialize|unset|url(?:de|en)code|usleep|usort|vfprintf|virtual|vprintf|vsprintf|wordwrap|create_function';

/** Class names of Java gadgets, for their base64 forms. */
export const JAVA_WORDS = [
  'runtime',
  'processbuilder',
  'clonetransformer',
  'forclosure',
  'instantiatefactory',
  'instantiatetransformer',
  'invokertransformer',
  'prototypeclonefactory',
  'prototypeserializationfactory',
  'whileclosure',
  'ProcessBuilder',
  'InvokerTransformer',
  'ChainedTransformer',
  'InstantiateTransformer',
  'TemplatesImpl',
  'getRuntime',
  'java.lang.Runtime',
  'java.lang.ProcessBuilder',
  'Runtime',
];
