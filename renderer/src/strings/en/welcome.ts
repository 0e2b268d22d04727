export const welcome = {
  title: 'Welcome to Lokal',
  lead: 'Six inference services on this machine, behind one API.',
  address: 'Address',
  address_note: 'The base URL for OpenAI’s SDKs and for plain HTTP:',
  copy_address: 'Copy the base URL',
  keys: 'Keys',
  keys_note:
    'Every call carries a key. Create the first two: a live key that runs the models, and a test key that answers with fixed examples.',
  create_keys: 'Create a live and a test key',
  keys_made: 'Keys have been created. Their secrets were shown once and are not kept.',
  manage_keys: 'Manage keys',
  live_key: 'Live key',
  test_key: 'Test key',
  stored_both: 'I have stored both',
  document: 'Try a document',
  document_note:
    'A sample invoice, read on this machine: fields, line items and where each stands on the page.',
  open_document: 'Read the sample invoice',
  chat: 'Chat',
  chat_note:
    'A very small starter of ours answers right away. It works on text you give it: fields, answers from a passage, tools. For knowledge of the world, import a bigger model: a GGUF file, or a folder with safetensors or ONNX.',
  open_chat: 'Open the chat',
  import_model: 'Import a model',
  call: 'First call',
  docs: 'API reference',
  call_kinds: { curl: 'curl', openai_js: 'OpenAI SDK, JavaScript', openai_py: 'OpenAI SDK, Python' },
  privacy: 'Nothing is sent anywhere: no telemetry, no downloads, no account. Data lives in {folder}.',
} as const;
