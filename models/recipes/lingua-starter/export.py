"""The files of a Hugging Face folder beside the weights: config, tokenizer, template."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def write_folder(folder, shape, tokenizer):
    end = tokenizer.token_to_id("<|im_end|>")
    stop = tokenizer.token_to_id("<|endoftext|>")
    config = shape.config() | {"eos_token_id": [end, stop], "bos_token_id": None}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "model_max_length": shape.context,
        "clean_up_tokenization_spaces": False, "chat_template": (HERE / "template.jinja").read_text("utf-8"),
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n")
