/**
 * Simplified Chinese. Words that must stay the same everywhere: pack 模型包, role 角色, key 密钥, engine 引擎, host 宿主进程, request 请求,
 * plan 套餐, scope 权限, field 字段, template 模板, threshold 阈值, session 会话, conversation 对话, prompt 提示词, to redact 遮盖,
 * to bind 绑定, confined 隔离.
 */
import type { Catalogue } from './catalogue.ts';
import { about } from './zh/about.ts';
import { advice } from './zh/advice.ts';
import { chat } from './zh/chat.ts';
import { diagnostics } from './zh/diagnostics.ts';
import { documents } from './zh/documents.ts';
import { engines } from './zh/engines.ts';
import { frame } from './zh/frame.ts';
import { images } from './zh/images.ts';
import { keys } from './zh/keys.ts';
import { moderation } from './zh/moderation.ts';
import { packs } from './zh/packs.ts';
import { settings } from './zh/settings.ts';
import {
  audit,
  batches,
  embeddings,
  licences,
  network,
  requests,
  rules,
  usage,
  welcome,
} from './zh/small.ts';
import { threats } from './zh/threats.ts';
import { work } from './zh/work.ts';

export const zh: Catalogue = {
  ...frame,
  documents,
  keys,
  requests,
  usage,
  packs,
  advice,
  engines,
  settings,
  welcome,
  moderation,
  threats,
  rules,
  embeddings,
  chat,
  images,
  network,
  audit,
  about,
  batches,
  licences,
  diagnostics,
  work,
};
