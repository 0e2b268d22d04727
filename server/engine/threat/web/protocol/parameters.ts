/** Parameters whose name says what a server would do with the value. */
import type { WebRequest, WebValue } from '../request/web-request.ts';
import type { WebKnowledge } from '../web-knowledge.ts';

/** A known command, an option or argument behind it. */
export const commandLine = (unixCommands: string): RegExp =>
  new RegExp(`^(?:${unixCommands})(?: (?:-|/|[\\w.]+$)|$)`, 'u');

interface Context {
  command: RegExp;
  knowledge: WebKnowledge;
}

export const runsCommand = ({ values }: WebRequest, { command, knowledge }: Context): WebValue[] =>
  values.filter(
    (v) =>
      v.place === 'value' &&
      knowledge.parameters.commands.test(v.name) &&
      command.test(v.shell) &&
      // Settings name the shell that runs what is set elsewhere.
      !(v.name === 'shell' && SHELL.test(v.shell)),
  );

const SHELL = /^(?:ba|z|k|da)?sh$/u;

export const includesRemote = ({ values }: WebRequest, { knowledge }: Context): boolean =>
  values.some(
    (v) =>
      v.place === 'value' &&
      knowledge.parameters.files.test(v.name) &&
      /^(?:https?|ftps?|smb|file|sftp):\/\//u.test(v.plain),
  );

const PLATFORM_TYPE =
  /^(?:javax?|sun|com\.sun|org\.(?:apache|springframework|hibernate|codehaus)|system|microsoft)\.[\w.$]+(?:,|$)/u;

export const namesClass = ({ values }: WebRequest, { knowledge }: Context): boolean =>
  values.some((v) => knowledge.parameters.classes.test(v.name) && PLATFORM_TYPE.test(v.plain));

export const setsServerVariable = ({ values }: WebRequest, { knowledge }: Context): boolean =>
  values.some((v) => v.place === 'name' && knowledge.parameters.server_variables.test(v.decoded));
