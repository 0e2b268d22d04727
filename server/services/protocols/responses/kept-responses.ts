/** Answers that are kept where the settings say so and for as long as they say, sealed under the installation's key. */

import type { Settings } from '../../../api/console/console.ts';
import type { ResponseObject } from '../../../api/protocols/responses.ts';
import type { AskedMessage } from '../../../api/services/chat.ts';
import { ApiError } from '../../../errors.ts';
import type { Caller, Principal } from '../../caller.ts';
import { createSealedRecords, type SealedRecordDeps } from '../../sealed-records.ts';

export interface KeptResponse {
  response: ResponseObject;
  /** The conversation up to and with the answer, its instructions left out. */
  messages: AskedMessage[];
}

export interface KeptResponses {
  /** @throws ApiError invalid_value naming `param` while answers are not kept */
  check(param: string): void;
  readonly isOn: boolean;
  keep(kept: KeptResponse, caller: Caller): void;
  /** @throws ApiError not_found under the name `param`; invalid_value while answers are not kept */
  find(id: string, caller: Caller, param?: string): KeptResponse;
  /** @throws ApiError as `find` */
  remove(id: string, caller: Caller): void;
  deleteExpired(): void;
}

export interface KeptResponseDeps extends SealedRecordDeps {
  settings: () => Settings;
  ownerOf: (principal: Principal) => string;
}

const mostResponses = 10_000;

export function createKeptResponses({ ownerOf, settings, ...deps }: KeptResponseDeps): KeptResponses {
  const records = createSealedRecords(deps, {
    kind: 'response',
    place: (_part, id, owner) => `response ${owner} ${id}`,
  });
  const missing = (param: string | null) =>
    new ApiError('not_found', 'There is no such response (any more).', { param });

  function check(param: string): void {
    if (settings().responses_days > 0) return;
    const message = `${param}: answers are not kept here (setting responses_days). Send the whole conversation, with store false.`;
    throw new ApiError('invalid_value', message, { param });
  }

  return {
    check,
    get isOn() {
      return settings().responses_days > 0;
    },

    keep(kept, { principal }) {
      records.put({
        id: kept.response.id,
        owner: ownerOf(principal),
        content: Buffer.from(JSON.stringify(kept)),
      });
    },

    find(id, { principal }, param = 'id') {
      check(param);
      const kept = records.find(id, ownerOf(principal));
      if (!kept) throw missing(param);
      return JSON.parse(kept.content.toString()) as KeptResponse;
    },

    remove(id, { principal }) {
      check('id');
      if (!records.remove(id, ownerOf(principal))) throw missing('id');
    },

    /** Switched off, nothing is young enough to stay. */
    deleteExpired: () => records.prune(settings().responses_days, mostResponses),
  };
}
