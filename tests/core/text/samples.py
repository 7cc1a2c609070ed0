"""Texts of many scripts, and what tokenizers stumble over."""

SAMPLES = [
    "Gravity is", "", " ", "   leading and   inner  spaces  ", "\n\n\ta\r\n b\n", "a\u00a0b\u2003c\u3000d\u200bx",
    "It's what we'll do; they'VE said I'd, we'Re. 'S", "naïve café Ångström İstanbul ſtraße ŒUVRE",
    "e\u0301 o\u0302\u0323 \u1100\u1161\u11a8 한국어 각 ﬁ ﬂ ½ ² ℌ ＡＢＣ", "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία Σίσυφος", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب ١٢٣٤", "דג סקרן שט בים מאוכזב שָׁלוֹם",
    "ऋषियों को सताने वाले दुष्ट राक्षसों १२३", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า", "天地玄黃 宇宙洪荒。日月盈昃、辰宿列張!",
    "色は匂へど散りぬるを カタカナ ｶﾅ", "키스의 고유조건은 입술끼리 만나야", "👨‍👩‍👧‍👦 👍🏽 🇩🇪 ❤️ 😀😃 e\u20dd", "a\x00b\x01\x02\x1f\x7f\x85c\ufffdd\ufeff",
    "def f(x):\n    return x**2 + 1e-07  # comment\n\tif (a!=b) { y[0] = \"q\\n\"; }", "3.14159 1,234,567.89 0x1F 2024-06-30 १२ Ⅻ ①②",
    " " * 300, "x" * 1000, "ab" * 500 + "!" * 300, "\u0301\u0302 combining first", "<s>in</s> text <|im_start|>user\nhi<|im_end|> [MASK] x",
    "mask<mask>mask  <mask>  end word<mask>", "\U0001f1e6\U00010348\U0002070e \U000e0041", "\u0130\u0131I i K\u212a", "▁already ▁▁ there",
    "don't—stop… “quotes” ‘x’ «y» ¿qué? ¡sí!", "https://example.org/a?b=c&d=%20#e_f user@host.tld",
]
CORPUS = SAMPLES * 3 + ["the quick brown fox jumps over the lazy dog " * 5, "tokenization of the model's tokens is tested"]
