/** Attacks on the browser behind the server (XSS), and on parsers and neighbours of it (XXE, SSRF, LDAP, XPath, includes). */
import { family } from './signature.ts';

const EVENTS =
  'on(?:abort|activate|after\\w{3,}|animation\\w{3,}|auxclick|before\\w{3,}|begin|blur|bounce|cached|canplay\\w{0,8}|change|click|close|contextmenu|copy|cuechange|cut|dblclick|drag\\w{0,8}|drop|durationchange|emptied|end|ended|error|filterchange|finish|focus\\w{0,4}|formdata|fullscreen\\w{0,8}|gotpointercapture|hashchange|help|input|invalid|key(?:down|press|up)|load\\w*|losecapture|message\\w{0,6}|mouse\\w{2,6}|online|offline|page\\w{3,8}|paste|pause|play\\w{0,4}|pointer\\w{2,}|popstate|progress|propertychange|ratechange|readystatechange|rejectionhandled|repeat|reset|resize|row\\w{3,8}|scroll\\w{0,4}|search|seek\\w{2,4}|select\\w{0,8}|show|stalled|start|storage|submit|suspend|timeupdate|toggle|touch\\w{3,6}|transition\\w{3,8}|unhandledrejection|unload|volumechange|waiting|webkit\\w{6,}|wheel|zoom)';

export const CLIENT_SIGNATURES = [
  ...family({ prefix: 'web-xss', ttps: ['T1190', 'T1059.007'], form: 'plain' }, [
    [
      'handler',
      'Cross-site scripting: event handler',
      'high',
      [`(?:^|[\\s"'\`/;<>\\x0b\\x0c])${EVENTS}[\\s/\\x0b]{0,8}=[^=]`],
    ],
    [
      'script-url',
      'Cross-site scripting: script in a URL or style',
      'high',
      [
        '(?:java|live|vb|j|w)\\s?script\\s?:(?:[^\\s]| [^\\s\\w]| \\w+ ?[(.=`;\\[]| ?$)',
        'j\\s?a\\s?v\\s?a\\s?s\\s?c\\s?r\\s?i\\s?p\\s?t\\s?:',
        'data:text/(?:html|xml|javascript|css)',
        'expression ?\\(',
        '-moz-binding|behaviou?r ?:|@import\\b|-o-link',
        'url ?\\( ?[\'"]?(?:javascript|data|vbscript)',
        'style ?= ?[^>]*(?:expression|javascript|behavior)',
        'mhtml:|feed:|view-source:|\\bwyciwyg:',
      ],
    ],
    [
      'script',
      'Cross-site scripting: browser script',
      'high',
      [
        '\\b(?:alert|confirm|prompt|eval|atob|btoa|settimeout|setinterval|setimmediate|execscript|unescape|fromcharcode|decodeuri\\w*|importscripts|fetch|onerror|function)(?:\\(| \\([\'"`/\\d)]|`|=[^=]| = ?[w\'"]|\\?\\.|\\[)',
        '(?:^|[;=.\'"`(+-]) ?(?:open|print|find|stop|close)(?:\\(|`)',
        '\\b(?:document|window|top|self|this|parent|frames|location|navigation|navigator|globalthis|content|opener)\\b ?(?:/\\*[^*]*\\*/ ?)?(?:\\.|\\[|\\?\\.) ?(?:/\\*[^*]*\\*/ ?)?[\'"`\\\\(\\w]{0,3}(?:cookie|domain|write|location|alert|eval|open|name|document|body|constructor|navigate|href|onerror|(?:create|get|query)(?:element|selector)\\w* ?\\(|innerhtml|forms|links|images|scripts|url|referrer|\\\\x|x\\d|localstorage|settimeout|top|self|window|concat|"\\+|\\+)',
        '\\b(?:document|window|self|top|this|parent)(?: |/\\*[^*]*\\*/){0,6}\\[',
        '\\bxmlhttprequest\\b|\\bactivexobject\\b|\\blocalstorage\\b|\\bsessionstorage\\b|\\binnerhtml\\b',
        '\\b\\w+ ?\\. ?(?:sort|map|find|call|apply|bind|concat|filter|reduce|from|of)(?: ?\\. ?call)? ?`',
        '\\breflect\\b ?\\.|\\bproxy ?\\(',
        '\\[ ?\\] ?\\. ?\\w{2,}',
        '\\.constructor ?\\(|\\["\'?constructor',
        '\\)\\(\\)|\\)\\(\\w+ ?\\)$',
        '(?:[!+]{1,2}[\\[\\]()]+){3,}',
        '\\bwith ?\\( ?\\w{2,} ?\\)',
        '\\b(?:var|let|const) \\w+ ?= ?[^&]+;',
        '\\) ?=> ?[{(\\w]|\\w => [{(\\w]|\\w=>[{(]',
        '\\((?:alert|confirm|prompt|print|eval)\\) ?[(`]|\\bhistory\\.(?:push|replace)state ?\\(|\\bobject\\.assign ?\\( ?window',
        '\\bconsole\\.log ?\\(',
        '\\\\u0?0?[0-9a-f]{2}\\\\u',
      ],
    ],
  ]),
  ...family({ prefix: 'web-xss', ttps: ['T1190', 'T1059.007'], form: 'markup' }, [
    ['tag', 'Cross-site scripting: active element', 'high', ['[\\xbc]/?script', '\\+adw-|\\+ad4-']],
    [
      'attribute',
      'Cross-site scripting: broken out of an attribute',
      'medium',
      [
        '\\b(?:document|window|self|top|this|parent|globalthis)\\W{0,16}[)/ ]\\[ ?["\'`\\\\]',
        '\\.(?:innerhtml|outerhtml|parentnode|insertadjacenthtml|appendchild|srcdoc)\\b',
        '\\bsrcdoc\\b ?=|\\bformaction\\b ?=|\\bxmlns\\b ?=',
        '\\bxlink:href\\b',
      ],
    ],
  ]),
  ...family(
    {
      prefix: 'web-xxe',
      ttps: ['T1190'],
      form: 'plain',
      places: ['xml', 'body', 'value', 'name', 'cookie', 'header', 'path', 'agent', 'referer'],
    },
    [
      [
        'entity',
        'XML external entity',
        'critical',
        [
          '<!entity\\b',
          '<!doctype[^>]*(?:system|public|\\[)',
          '<xi:include|xmlns:xi=|<esi:\\w',
          '\\bxmlns:xsl=|<xsl:',
          '!entity ?%',
        ],
      ],
    ],
  ),
  ...family({ prefix: 'web-ldap', ttps: ['T1190'], form: 'plain' }, [
    [
      'filter',
      'LDAP injection',
      'high',
      [
        '\\) ?\\( ?[&|!]',
        '[\\w*]\\)\\(\\w+ ?(?:=|~=?|<=?|>=?|:)',
        '\\( ?[&|!] ?\\( ?\\w+ ?[~<>]?=',
        '\\*\\)\\(\\w+=',
        '[*\\w]\\)\\([&|%]',
        '\\*\\)[&|%]',
        '\\(\\w+=\\*\\)?',
        '\\)\\)\\(',
        '\\( ?(?:cn|uid|objectclass|mail|sn|ou|dc|userpassword|samaccountname|memberof) ?=',
      ],
    ],
  ]),
  ...family({ prefix: 'web-xpath', ttps: ['T1190'], form: 'plain' }, [
    [
      'query',
      'XPath injection',
      'high',
      [
        '/(?:child|parent|descendant|ancestor|following|preceding|attribute|self)(?:-or-self|-sibling)?::',
        '\\b(?:name|string-length|position|last|normalize-space|local-name|doc)\\(.*\\) ?[=<>\\]|]',
        '\\b(?:count|text)\\([^)]*(?:[/@]|::).*\\) ?[=<>\\]|]|\\btext\\(\\) ?[=<>\\]|]',
        '\\[ ?(?:position|last|@)\\(?\\w*\\)? ?[=<>\\]]',
        '[\'"] ?\\] ?\\|',
        '//\\w+\\[',
        '//\\*',
      ],
    ],
  ]),
  ...family(
    {
      prefix: 'web-ssrf',
      ttps: ['T1190', 'T1552.005'],
      form: 'plain',
      places: ['value', 'name', 'body', 'header', 'cookie'],
    },
    [
      [
        'metadata',
        'Server-side request forgery: cloud metadata',
        'critical',
        [
          '169\\.254\\.169\\.254|169\\.254\\.170\\.2|\\[fd00:ec2::254\\]|metadata\\.google\\.internal|100\\.100\\.100\\.200|192\\.0\\.0\\.192|metadata\\.packet\\.net|instance-data|2852039166|0xa9fea9fe|0251\\.0376|\\b169\\.16689662|latest/meta-data|computemetadata/v1|opc/v\\d/instance',
        ],
      ],
      [
        'internal',
        'Server-side request forgery: internal address',
        'high',
        [
          '(?:\\bhttps?:|\\bftp:|\\b[a-z][a-z0-9+.-]{1,11}:/)/{0,3}(?:[^/@ ]*@)?(?:localhost|127\\.|0\\.0\\.0\\.0|10\\.\\d|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|\\[[0-9a-f]{0,4}:[0-9a-f:.%]*\\]|0x[0-9a-f]|0[0-7]{3}|\\d{8,10}(?:[:/]|$)|0(?:[:/]|$)|(?:[\\w-]+\\.)*(?:internal|local|localhost|svc|nip\\.io|xip\\.io|sslip\\.io|localtest\\.me|lvh\\.me|vcap\\.me)(?:[:/?]|$))',
          '\\b(?:gopher|dict|netdoc|jar|tftp|expect|ldap[is]?|rmi|iiop|local_file|file)://',
          '\\bjar:(?:https?|ftp|file):',
          '\\b(?:https?|ftp)://[^/ ]*\\\\|\\b(?:https?|ftp)://[^/?# ]*%2f[^/ ]*@|\\b(?:https?|ftp)://[^/ ]+@[^/ ]+@',
          '\\b[a-z][a-z0-9+.-]{1,11}:/{0,3}(?:[^/@ ]*@)?(?:\\d{1,3}\\.){1,2}\\d{4,8}\\b',
          '\\b[a-z][a-z0-9+.-]{1,11}:/{0,3}.*@ ?(?:127\\.|10\\.|localhost|192\\.168\\.|169\\.254\\.)',
          '^(?:ftps?|sftp|tftp|smb)://\\w',
          '\\b\\w+\\.(?:burpcollaborator\\.net|oastify\\.com|interact\\.sh|oast\\.\\w{2,6}|dnslog\\.cn|requestbin\\.\\w{2,4}|ceye\\.io|webhook\\.site|canarytokens\\.com)',
        ],
      ],
    ],
  ),
  ...family(
    {
      prefix: 'web-rfi',
      ttps: ['T1190', 'T1105'],
      form: 'plain',
      places: ['value', 'path', 'body', 'cookie'],
    },
    [
      [
        'include',
        'Remote file inclusion',
        'high',
        [
          '^(?:url:)?(?:https?|ftps?|file|sftp|smb):?/{1,3}\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
          '(?:https?|ftps?|file)://?\\S*\\?{1,2}$',
          '^(?:https?|ftps?|file)\\??$',
          '\\burl ?: ?(?:https?|ftp|file|gopher|dict|jar)',
          '(?:https?|ftps?)://\\S+\\.(?:php\\d?|txt|inc|phtml|jspx?|aspx?|sh|pl|py|cgi)(?:[?%]*$|[?%](?:cmd|exec|command)=|%00|\\x00)',
          '(?:https?|ftps?)://\\S+\\.(?:txt|inc|sh|pl|py)[?%]',
          '^file:/{0,3}',
          '\\\\\\\\[\\w.]{3,}\\\\',
        ],
      ],
    ],
  ),
];
