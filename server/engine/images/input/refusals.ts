/** Refusals of inputs that cannot be read. The service puts `image_url` in the place of `image` where that was sent. */
import { EngineError } from '../../engine.ts';

export const refuseKind = (what: string): EngineError => new EngineError('unsupported_media', what, 'image');

export const refuseDamaged = (what: string): EngineError =>
  new EngineError('invalid_value', `The ${what} is damaged or not complete.`, 'image');

export const refuseSize = (width: number, height: number, most: number): EngineError =>
  new EngineError(
    'invalid_value',
    `The picture is ${width} × ${height} pixels; the longest side may have ${most}.`,
    'image',
  );

export const refuseSlow = (): EngineError =>
  new EngineError('invalid_value', 'The file takes too long to decode.', 'image');

export const refuseLarge = (): EngineError =>
  new EngineError('invalid_value', 'The file needs more memory than can be given to it.', 'image');
