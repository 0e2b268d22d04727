/** npm as a command: Node starts no .cmd file of Windows without a shell (CVE-2024-27980). */
export const npmCommand = (args: string[], platform: NodeJS.Platform = process.platform): string[] =>
  platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm', ...args] : ['npm', ...args];

/** A program of ours: its launcher, or on Windows, where that is a .cmd file, what it starts. */
export const programCommand = (
  program: string,
  args: string[],
  platform: NodeJS.Platform = process.platform,
): { command: string; args: string[] } =>
  platform === 'win32'
    ? { command: `${program}\\bin\\node.exe`, args: [`${program}\\dist\\server\\cli.js`, ...args] }
    : { command: `${program}/lokal`, args };
