"""What each assumption costs."""

PRICES: dict[str, float] = {
    "power": 1.0,
    "class_miss": 1.0, "class_leak": 1.0, "digit_miss": 0.2,
    "fixed_short": 2.5, "fixed_medium": 1.2, "fixed_long": 0.5, "least_all": 2.0, "least_some": 1.3, "range": 3.0,
    "affix_digits": 1.5, "affix_letters": 0.5, "affix_short": 0.8, "affix_other": 0.7, "affix_leak": -0.02,
    "head_number": 0.5, "tail_number": 0.5, "number_leak": -0.1,
    "extension": 0.3, "extension_leak": -0.05, "images": 0.2, "extensions": 1.2,
    "slug_one": 1.0, "slug_some": 1.4, "slug_all": 2.2, "slug_leak": 0.36, "slug_step": 0.04, "has_digit": 1.2, "has_digit_leak": 0.35,
    "constant_digits": 1.4, "constant_mixed": 0.7, "constant_word": 0.3, "constant_any": 0.1, "inner_constant": 1.0, "first_constant": 1.0, "parameter_constant": 1.5,
    "fragment_any": 0.4, "optional_constant": 3.0, "deep_any": 0.8, "deep_some": 1.0, "split": 1.0, "tail_kind": 0.5,
    "fixed_words": 2.0, "long_number": 0.8, "long_number_leak": 0.25,
    "listed": 3.0, "listed_repeat": 0.7, "listed_least": 0.5,
    "template_literal": 0.5, "template_digits": 0.3, "template_letters": 0.8, "template_leak": 0.1,
    "tail_any": 0.5, "tail_none_miss": 0.0, "slash_none": 0.3, "slash_only": 0.3, "slash_maybe": 0.15, "extra": 0.4,
    "listed_host": 0.6, "subdomain": 0.4, "subdomains": 0.5,
    "avoid": 0.5, "avoid_word": 0.5, "avoid_leak": 0.0,
    "leak": 5.0, "scale_none": 1.0, "scale_some": 0.4, "scale_half": 20.0,
}
