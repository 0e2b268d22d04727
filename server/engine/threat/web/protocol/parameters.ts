/** Parameters whose name says what a server would do with the value. */
import type { WebRequest, WebValue } from '../request/web-request.ts';

/** Parameters whose value a careless or hostile script would run. */
const COMMAND_PARAMETER =
  /^(?:cmd|command|exec(?:ute)?|run|shell|system|code|payload|rce|do|args?|proc(?:ess)?|action_cmd|ping|host_?cmd)$/iu;
/** A known command, an option or argument behind it. */
export const commandLine = (unixCommands: string): RegExp =>
  new RegExp(`^(?:${unixCommands})(?: (?:-|/|[\\w.]+$)|$)`, 'u');

export const runsCommand = ({ values }: WebRequest, command: RegExp): WebValue[] =>
  values.filter((v) => v.place === 'value' && COMMAND_PARAMETER.test(v.name) && command.test(v.shell));

/** Parameters that name code or templates to load. */
const FILE_PARAMETER =
  /(?:^|[_[.-])(?:inc(?:lude)?(?:_?path|_?dir|_?file)?|require|conf(?:ig)?(?:_?file)?|template|skin|layout|basepath|base_?dir|doc_?root|document_?root|absolute_?path|root_?(?:path|dir)|lib(?:_?dir|_?path)?|mosconfig\w{0,32}|phpbb_root_path|plugin_?dir|dir_?path|classpath|module_?path)(?:\]|$)/iu;

export const includesRemote = ({ values }: WebRequest): boolean =>
  values.some(
    (v) =>
      v.place === 'value' &&
      FILE_PARAMETER.test(v.name) &&
      /^(?:https?|ftps?|smb|file|sftp):\/\//u.test(v.plain),
  );

/** Names from which readers of JSON take the class to make. */
const TYPE_PARAMETER = /^[@$_]?(?:type|class)$/iu;
const PLATFORM_TYPE =
  /^(?:javax?|sun|com\.sun|org\.(?:apache|springframework|hibernate|codehaus)|system|microsoft)\.[\w.$]+(?:,|$)/u;

export const namesClass = ({ values }: WebRequest): boolean =>
  values.some((v) => TYPE_PARAMETER.test(v.name) && PLATFORM_TYPE.test(v.plain));

/** Names that a server reads from its environment or PHP made globals of. */
const SERVER_VARIABLE =
  /^(?:phprc|ld_preload|ld_library_path|dyld_insert_libraries|bash_env|node_options|pythonpath|perl5opt|(?:_server|_env|_session|_files|globals)\[.{1,80}|-[sdnc](?:\s.{0,200})?)$/iu;

export const setsServerVariable = ({ values }: WebRequest): boolean =>
  values.some((v) => v.place === 'name' && SERVER_VARIABLE.test(v.decoded));
