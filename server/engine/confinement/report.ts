/** A host that only says how far it is confined, on its standard output. */
import { finishConfinement } from './confinement.ts';

process.stdout.write(`${finishConfinement(process.argv[2])}\n`);
