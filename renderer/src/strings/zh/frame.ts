import type { Catalogue } from '../catalogue.ts';
import type { frame as en } from '../en/frame.ts';

export const frame: Catalogue<typeof en> = {
  shell: {
    skip: '跳到正文',
    loading: '正在加载',
    navigation: '主导航',
    home: 'Lokal，欢迎页',
    playgrounds: '工作台',
    service: '服务',
    machine: '本机',
    connected: '已连接到服务器',
    connecting: '正在连接服务器',
    disconnected: '服务器没有响应，正在重试',
    theme: '配色：{scheme}。切换',
    scheme: { auto: '跟随系统', light: '浅色', dark: '深色' },
  },
  meter: {
    label: '引擎与内存',
    none: '未加载引擎',
    engines: { other: '{count} 个引擎' },
    memory: '{used} / {most}',
    running: { other: '{count} 个请求' },
  },
  problem: {
    code: '错误',
    param: '字段',
    request: '请求',
    copy_request: '复制请求编号',
    retry: '重试',
    file_empty: '此文件为空。',
    file_belied: '此文件的名称为 .{ending}，但其中没有此类文件的内容：文件已损坏或名称有误。',
    left_out: '以下文件类型无法读取，已略过：{names}',
    hidden_left_out: { other: '已略过 {count} 个隐藏文件' },
    file_too_large: '此文件为 {size}；一次最多可读取 {most}。',
    offline: 'Lokal 没有响应。服务器还在运行吗？',
    unknown: '出了点问题。',
  },
  offline: {
    title: 'Lokal 没有响应',
    banner:
      '此页上的内容会保留。请照原来的方式重新启动服务器，例如“{command}”，若设置过 LOKAL_HOME 请用同一个；服务器一旦响应，本页会自动继续。',
    text: '界面已加载，但其后的服务器没有响应。请用“{command}”重新启动；服务器一旦响应，本页会自动继续。',
  },
  crash: {
    title: '此页出错了',
    text: '服务器不受影响，仍在正常响应。重新加载此页通常可以解决。',
    reload: '重新加载',
  },
  sign_in: {
    title: '请从 Lokal 自己的地址打开',
    why: '控制台属于使用本机的人，因此只能用一次性地址打开。此浏览器没有会话，或者会话已结束。',
    how: '请在 Lokal 的文件夹中取得新地址，然后打开它所显示的地址：',
    command: '取得新控制台地址的命令',
    restart: '重新启动 Lokal 也会显示一个地址。程序不需要此页：它们用 API 密钥调用 /v1。',
  },
  not_installed: {
    title: '还没有可以回答的模型包',
    text: '把一个模型包绑定到对应角色后，此模型即可回答。',
    open: '前往模型包',
  },
  code: {
    copied: '已复制',
    copy: '复制',
    curl: 'curl',
    javascript: 'JavaScript',
    python: 'Python',
    language: '示例语言',
    key_note: '请先把您的一个密钥放入环境变量 LOKAL_API_KEY。',
  },
  data: {
    confidence: '置信度 {value}',
  },
  dialog: {
    close: '关闭',
    cancel: '取消',
    undo: '撤销',
  },
};
