import type { Catalogue } from '../catalogue.ts';
import type { advice as en } from '../en/advice.ts';

export const advice: Catalogue<typeof en> = {
  title: '适合本机的模型',
  open: '找一个更适合本机的模型',
  lead: 'Lokal 可以导入的开放的聊天模型，以及它们在本机需要的资源。本页离线可用：不访问网络，也不下载任何内容。',
  measuring: '正在测量本机读取内存的速度，只测一次，需要几秒钟。',
  models: '开放的聊天模型',
  memory: '内存 {memory}，其中 {most} 供引擎使用',
  disk: '磁盘可用 {free}',
  measured: '内存读取速度为每秒 {speed}',
  unmeasured: '无法测量内存速度',
  again: '重新测量',
  all: '也显示放不下的',
  model: '模型',
  best: '最合适',
  fit: '容量',
  fits: { good: '放得下', slow: '放得下，但较慢', tight: '较紧', none: '太大' },
  speed: '速度（估计）',
  context: '上下文（token）',
  file: 'GGUF 文件，约',
  tokens: '每秒 {from} 至 {to} 个 token',
  copy: '复制 {name} 的地址',
  estimate_note:
    '速度是估计值：每生成一个 token 都要读取一遍全部权重，因此以测得的内存速度为上限，按其 40% 至 80% 计算；请在本机空闲时测量。“较慢”指回答比人的阅读速度还慢。内存按“质量”预设和 4,096 个 token 的对话计算。文件大小为通常的大小，不同制作者的文件略有差别。许可证由发布者决定，请到发布处阅读。',
  found: '本机已有的模型',
  found_note: 'Ollama、LM Studio 和 Hugging Face 缓存中的模型；在原处读取',
  found_none: '在常用文件夹中没有找到模型。其他位置的模型可按路径导入。',
  import_name: '导入 {name}',
  stick: '如何用 U 盘带来模型',
  steps: {
    get: '在有网络的电脑上打开模型的地址，接受许可证，下载一个 .gguf 文件（Q4_K_M 或 Q8_0），或包含 .safetensors、config.json 和分词器文件的整个文件夹。',
    check:
      '记下页面在文件旁显示的 SHA-256（在 Hugging Face 上位于该文件自己的页面）。Lokal 本身不知道任何校验和：只有来自发布者的校验和才有意义。',
    carry: '把文件复制到 exFAT 或 NTFS 格式的 U 盘：FAT32 放不下超过 4 GB 的文件。',
    import:
      '在这里的“模型包”页中浏览到 U 盘，或把文件拖进来。导入前请粘贴校验和：收到的每个字节都会参与比对。',
    bind: '让导入的模型包服务 svc-lingua-7b，然后在“聊天”中提问。',
  },
};
