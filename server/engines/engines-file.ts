/**
 * Remote engines of a site that nobody sits at: a JSON file read at start. Its records are those of the console, but secrets and
 * certificates are named by file, so that it can lie in a repository.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Closed, modelIds } from '../api/common.ts';
import { AddEngineRequest, EngineRoute } from '../api/console/engines.ts';
import { ApiError } from '../errors.ts';
import { whyUnread } from '../read-failure.ts';
import { StartError } from '../start-error.ts';
import { readBaseUrl } from './address.ts';

const { ca: _, secret: __, ...fields } = AddEngineRequest.properties;
const File = Type.String({ minLength: 1, description: 'Relative to this file.' });

export interface FromFile {
  engines: AddEngineRequest[];
  routes: EngineRoute[];
}

export const EnginesFile = Closed({
  engines: Type.Array(Closed({ ...fields, secret_file: Type.Optional(File), ca_file: Type.Optional(File) }), {
    maxItems: 10_000,
  }),
  /** Of services whose targets are not simply all engines that serve them. */
  routes: Type.Optional(
    Type.Array(
      Closed({
        ...EngineRoute.properties,
        mode: Type.Optional(EngineRoute.properties.mode),
        spill_over: Type.Optional(EngineRoute.properties.spill_over),
      }),
      { maxItems: modelIds.length },
    ),
  ),
});
type FileEngine = Static<typeof EnginesFile>['engines'][number];

/** @throws StartError naming the field that is wrong, or the file that cannot be read; never what stands in it */
export function readEnginesFile(path: string): FromFile {
  const content = parse(path, read(path, '--engines'));
  const [first] = Value.Errors(EnginesFile, content);
  if (first)
    throw new StartError(
      `--engines: ${path}: ${first.instancePath.slice(1) || 'the file'} ${first.message}.`,
    );
  const { engines, routes = [] } = content as Static<typeof EnginesFile>;
  const names = engines.map(({ name }) => name);
  const twice = names.find((name, at) => name === 'local' || names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new StartError(
      `--engines: ${path}: the name ${twice} is ${twice === 'local' ? 'taken' : 'there twice'}.`,
    );
  return {
    engines: engines.map((engine) => toRequest(engine, path)),
    routes: routes.map((route, at) => toRoute(route, { path, at, names, before: routes.slice(0, at) })),
  };
}

type FileRoute = NonNullable<Static<typeof EnginesFile>['routes']>[number];

function toRoute(
  { mode = 'order', role, spill_over: spillOver = null, targets }: FileRoute,
  { at, before, names, path }: { path: string; at: number; names: string[]; before: FileRoute[] },
): EngineRoute {
  const unknown = targets.findIndex((name) => name !== 'local' && !names.includes(name));
  if (unknown >= 0)
    throw new StartError(`--engines: ${path}: routes/${at}/targets/${unknown} names no engine of the file.`);
  if (before.some((route) => route.role === role))
    throw new StartError(`--engines: ${path}: routes/${at}: ${role} has a route already.`);
  return { role, mode, targets, spill_over: spillOver };
}

function toRequest(
  { ca_file: ca, secret_file: secret, ...engine }: FileEngine,
  path: string,
): AddEngineRequest {
  const beside = (file: string, field: string) =>
    read(resolve(dirname(path), file), `--engines: ${field} of ${engine.name}`);
  try {
    readBaseUrl(engine.base_url, engine.allow_http ?? false);
  } catch (error) {
    if (error instanceof ApiError)
      throw new StartError(`--engines: ${path}: ${engine.name}: ${error.message}`);
    throw error;
  }
  return {
    ...engine,
    ...(ca === undefined ? {} : { ca: beside(ca, 'ca_file') }),
    ...(secret === undefined ? {} : { secret: firstLine(beside(secret, 'secret_file'), engine.name) }),
  };
}

function firstLine(text: string, name: string): string {
  const line = text.split(/\r?\n/, 1)[0]!.trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(line))
    throw new StartError(`--engines: the first line of secret_file of ${name} is no secret.`);
  return line;
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(`--engines: ${path} is not JSON.`);
  }
}

function read(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`${what}: ${path} ${whyUnread(error)}.`);
  }
}
