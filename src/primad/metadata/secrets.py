"""Which parts of a text must nobody else read?  They become the word REDACTED.

    redact           a text: credentials in addresses, named values, headers, and tokens known by their shape
    redact_url       one address, without user, password and secret parameters
    redact_command   the arguments of a command
    redact_tree      every text in nested mappings and lists

A value counts as secret for its name (``--api-key x``, ``HF_TOKEN=x``, ``"password": "x"``) or for its shape
(``ghp_...``, ``-----BEGIN PRIVATE KEY-----``).  In doubt it goes: a lost word can be asked for, a published key cannot
be called back.  Tokens in the sense of text processing (``pad_token``, ``--num-tokens 512``) stay.  Not noticed is a
secret that has neither name nor shape, such as a bare password among the arguments.

Redacting twice changes nothing.  No expression here goes over the same text again and again: whatever can fail looks
at a bounded number of characters, or consumes what it has seen.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

REDACTED = "REDACTED"

_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)

# The shapes that issuers gave their tokens so that they can be found.
_TOKEN = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      gh[opsur]_[A-Za-z0-9]{20,}                                # GitHub
    | github_pat_\w{20,}
    | gl(?:pat|agent|cbt|dt|ft|imt|oas|ptt|rt|soat)-[\w-]{16,}  # GitLab
    | (?:hf|gsk|npm|pcsk|r8)_[A-Za-z0-9]{20,}                   # Hugging Face, Groq, npm, Pinecone, Replicate
    | [rs]k_(?:live|test)_\w{16,}                               # Stripe
    | (?P<sk>sk-[\w-]{20,})                                     # OpenAI, Anthropic
    | (?:nvapi|pplx|tvly|xai)-[\w-]{20,}
    | (?:dckr_pat|jina|lsv2_pt|lsv2_sk|wandb_v1)_[\w-]{20,}
    | A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])                   # AWS
    | AIza[\w-]{30,} | GOCSPX-[\w-]{20,} | ya29\.[\w-]{20,}     # Google
    | (?:xapp|xox[abeoprs])-[\w-]{10,}                          # Slack
    | pypi-AgE[\w-]{16,}                                        # PyPI
    | eyJ[\w-]{16,}(?:\.[\w-]+)*                                # JSON in base64: web tokens
    )""",
    re.VERBOSE | re.ASCII,
)

# Only where a header can stand: at the start of a line, in quotes, behind curl's option; in running prose a cookie
# with a colon is none.
_HEADER = re.compile(
    r"""(?: (?: ^[ \t<>*\#-]*+ | ["'`] | (?<![\w-])(?:-H|--header)[ \t=]*+ )
            (?:(?:proxy-)?authorization|(?:set-)?cookie)\\?["']?[ \t]*+:[ \t]*+\\?["']?()(?:[^"'\\\n]|\\(?!["']))+
          | \bauthorization:[ \t]*+(?:basic|bearer|digest|token)[ \t]++()[^\s"'\\]+ )""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BEARER = re.compile(r"\b(bearer|basic)([ \t]++)(?=[\w.~+/-]{0,40}\d)[\w.~+/-]{16,}=*", re.IGNORECASE)

# The second form is no address by the book, but meant as one: a password with an unescaped / ? or #, known by the
# colon before it that no port follows.  The digest of a container image stands behind an @ too.
_CREDENTIALS = re.compile(
    r"""://(?:([^\s/?#"'<>`]*)@ | ([^\s/?#"'<>`:@]{0,64}:(?!\d*(?:[/?#]|$))[^\s"'<>`]{1,64})@)(?!sha\d+:)""", re.VERBOSE
)
_SCHEMES_WITH_USERS = {"ssh", "git+ssh", "ssh+git", "svn+ssh", "sftp", "scp", "rsync"}

# What curl and others take as user:password; 1000:1000 is the user and group of a container.
_USER_OPTION = r"(?:-u|--(?:proxy-)?user|--(?:basic-|proxy-)?auth)"
_USER = r"""[^\s"'`:/=]{1,64}:(?!//|\d{1,9}(?:[\s"']|\Z))"""
_USER_AND_PASSWORD = re.compile(
    rf"""(?<![\w-]){_USER_OPTION}\\?["']?(?:=|,?(?:[ \t]|\\\n)++)
    (?: "{_USER}()(?:[^"\\\n]|\\.)++ | \\"{_USER}()(?:[^"\\\n]|\\[^"\n])++ | \\?'{_USER}()[^'\n]++
      | {_USER}()[^\s"'&;]++ )""",
    re.VERBOSE,
)
_IS_USER_OPTION = re.compile(_USER_OPTION)
_STARTS_WITH_USER = re.compile(_USER)

_PARAMETER = re.compile(
    r"""([?&](?:key|code|sas|sig|signature|auth|awsaccesskeyid
    |x-(?:amz|goog)-(?:signature|credential|security-token))=)[^&\s\#"'<>]+""",
    re.VERBOSE | re.IGNORECASE,
)

_WORD = (
    r"(?P<word>pass(?:words?|wd|phrase|code)?|pwd?|pat|secrets?|token|bearer|jwt|credentials?|cookies?|authorization"
    r"|key)"
)
_NAME_OF_SECRET = re.compile(_WORD + r"(?:[-_]?\d{1,3})?\Z", re.IGNORECASE)
_NAMED = re.compile(
    _WORD
    + r"""(?:[-_]?\d{1,3})?(?:\\?["'](?:\](?=[ \t]*+=))?)?  # os.environ["..."] = too
    (?: [ \t]*+(?P<sign>=(?!=)|:(?!:|//))(?P<space>[ \t]*+) | ,?(?:[ \t]|\\\n)++ )""",
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = re.compile(
    r"""[bfru]{0,2}(?: "(?P<double>(?:[^"\\\n]|\\.)++) | \\"(?P<escaped>(?:[^"\\\n]|\\[^"\n])++)
    | \\?'(?P<single>[^'\n]++) ) | (?P<bare>(?![{\[](?:[\s"'{\[]|\Z))[^\s"'&;]*[^\s"'&;,)\]}])""",
    re.VERBOSE | re.IGNORECASE,
)

_OPTION = re.compile(r"--(?:[A-Za-z]|\Z)|-[A-Za-z0-9]?\Z")

# Words of prose too: with colon and blank they name a secret only where a name can stand, as in YAML.
_WORDS_OF_PROSE = {
    "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "pass", "pat", "pw", "secret",
    "secrets", "token",
}  # fmt: skip
_BEFORE_A_NAME = "\n{([,\"'`-"
_KIND_OF_TEXT_TOKEN = re.compile(
    r"begin|bos|class|cls|decoder|doc|document|each|end|eos|first|forced|image|input|last|mask|max|mean|min|n|next|num"
    r"|output|pad|padding|passage|per|prefix|prompt|query|sep|separator|single|special|start|stop|sub|subword|suffix"
    r"|unk|unknown|word"
)
# A key alone may be anything.
_KIND_OF_SECRET_KEY = re.compile(
    r"(?:access|account|api|app|auth|client|deploy|encryption|master|private|secret|service|session|signing|storage"
    r"|subscription|anthropic|azure|cohere|gemini|google|hf|huggingface|mistral|openai|wandb)\Z"
)
# So may a pass, a pat and a pw, and other words end like them: compass, spat.
_SHORT_WORDS = {"pass", "pat", "pw"}
_KIND_OF_PASSWORD = re.compile(r"(?:admin|db|ftp|http|mail|my|mysql|pg|postgres|proxy|redis|root|smtp|ssh|sudo|user)\Z")
_KIND_OF_STEP_OR_PATTERN = re.compile(
    r"backward|by|date|each|encoding|exclude|file|final|first|forward|glob|include|index|indexing|last|match|max|multi|n"
    r"|name|next|num|one|per|ranking|re|regex|rerank|reranking|retrieval|search|second|single|third|two|url"
)
_NO_SECRETS = {"", "true", "false", "yes", "no", "none", "null", REDACTED.lower()}
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_PATH_BEGINNINGS = ("/", ".")
_LOOK_BACK = 80
_SHORT_NUMBER = 6
_FRACTION = re.compile(r"\d{1,4}\.\d{1,6}")
# As a tokenizer has it: token: whitespace.
_WORD_OF_A_LANGUAGE = re.compile(r"[a-z]{4,16}")
_LONG_ENOUGH_TO_BE_RANDOM = 8


def redact(text: str) -> str:
    """Return TEXT without its secrets.

    >>> redact("HF_TOKEN=hf_abc python index.py --tokenizer porter")
    'HF_TOKEN=REDACTED python index.py --tokenizer porter'
    """
    text = _PRIVATE_KEY.sub(REDACTED, text)
    text = _TOKEN.sub(_redact_token, text)
    text = _HEADER.sub(_up_to_mark, text)
    text = _BEARER.sub(rf"\1\2{REDACTED}", text)
    text = _USER_AND_PASSWORD.sub(_up_to_mark, text)
    text = _CREDENTIALS.sub(_without_credentials, text)
    text = _PARAMETER.sub(rf"\1{REDACTED}", text)
    return _without_named_values(text)


def redact_url(url: str) -> str:
    """Return URL without user, password and secret parameters; the user of an ssh address is no secret.

    >>> redact_url("https://oauth2:abc@gitlab.com/org/repo.git")
    'https://gitlab.com/org/repo.git'
    >>> redact_url("git@github.com:org/repo.git")
    'git@github.com:org/repo.git'
    """
    return redact(url.strip())


def redact_command(command: Sequence[str]) -> list[str]:
    """Return the arguments of COMMAND without secrets.

    >>> redact_command(["search", "--api-key", "abc", "--key-field", "id"])
    ['search', '--api-key', 'REDACTED', '--key-field', 'id']
    """
    safe: list[str] = []
    expected = None  # the word by which the argument before asks for a secret
    for argument in command:
        if expected and not _is_option(argument):
            safe.append(argument if _is_harmless(expected, argument) else REDACTED)
            expected = None
        elif safe and _IS_USER_OPTION.fullmatch(safe[-1]):
            safe.append(_redact_user(argument))
        else:
            safe.append(_redact_argument(argument))
            expected = _secret_word(argument) if argument.startswith("-") else None
    return safe


def redact_tree(value: Any) -> Any:
    """Return VALUE with every text in it redacted, and everything under the name of a secret.

    A list of texts may be a command, so an argument is judged by the option before it too.

    >>> redact_tree({"user": "ada", "password": 1234, "cmd": ["run", "--token", "abc"]})
    {'user': 'ada', 'password': 'REDACTED', 'cmd': ['run', '--token', 'REDACTED']}
    """
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {_redact_key(key): _redact_entry(key, entry) for key, entry in value.items()}
    if not isinstance(value, list | tuple):
        return value
    kind = type(value) if type(value) in {list, tuple} else list
    if all(isinstance(entry, str) for entry in value):
        return kind(redact_command(value))
    return kind(redact_tree(entry) for entry in value)


def _redact_key(key: Any) -> Any:
    """Return the key of a mapping without secrets."""
    return redact(key) if isinstance(key, str) else key


def _redact_entry(key: Any, entry: Any) -> Any:
    """Return what stands in a mapping under KEY without secrets."""
    word = _secret_word(key) if isinstance(key, str) else None
    is_plain = key == "token" and isinstance(entry, str) and _WORD_OF_A_LANGUAGE.fullmatch(entry)
    if word is None or entry is None or is_plain or _is_harmless(word, str(entry)):
        return redact_tree(entry)
    return REDACTED


def _redact_argument(argument: str) -> str:
    """Return one ARGUMENT, of which the value after a secret's name is known to its end."""
    name, sign, value = argument.partition("=")
    if sign and _IS_USER_OPTION.fullmatch(name):
        return f"{name}={_redact_user(value)}"
    is_name = bool(name) and not name.strip(_NAME_CHARACTERS)
    word = _secret_word(name) if sign and is_name and not value.startswith("=") else None
    if word is None or _is_harmless(word, value):
        return redact(argument)
    return f"{redact(name)}={REDACTED}"


def _redact_user(argument: str) -> str:
    """Return the ARGUMENT of an option that takes user:password without the password, which is known to its end."""
    user = _STARTS_WITH_USER.match(argument)
    return f"{redact(user[0])}{REDACTED}" if user and user.end() < len(argument) else redact(argument)


def _is_option(argument: str) -> bool:
    """Return whether ARGUMENT is an option rather than the value of one."""
    return bool(_OPTION.match(argument))


def _secret_word(name: str) -> str | None:
    """Return the word that makes NAME the name of a secret."""
    found = _NAME_OF_SECRET.search(name)
    return found["word"] if found and _is_secret_kind(found["word"], name[: found.start()]) else None


def _is_secret_kind(word: str, before: str) -> bool:
    """Return whether WORD names a secret after what stands BEFORE it: pad_token and sort_key do not, api_key does."""
    attached = before[len(before.rstrip(_NAME_CHARACTERS)) :]
    # What stands before an option is no part of its name, as in: query --token.
    stem = (attached if attached.startswith("-") else before).rstrip("-_. ")
    kind = stem[len(stem.rstrip(string.ascii_letters)) :].lower()
    word = word.lower()
    if word == "token":
        return not _KIND_OF_TEXT_TOKEN.fullmatch(kind)
    if word == "key":
        return bool(_KIND_OF_SECRET_KEY.search(kind))
    if word in _SHORT_WORDS:
        return _is_short_for_secret(word, kind, attached)
    return True


def _is_short_for_secret(word: str, kind: str, attached: str) -> bool:
    """Return whether pass, pat or pw as WORD is one, by its KIND and what is ATTACHED to its front."""
    if not attached.strip("-"):
        is_option = attached.startswith("-")
        return word == "pw" or (word == "pat" and is_option) or (word == "pass" and _is_password(kind))
    is_apart = attached.endswith(("-", "_", ".")) and not _KIND_OF_STEP_OR_PATTERN.fullmatch(kind)
    return is_apart or (word != "pat" and _is_password(kind))


def _is_password(kind: str) -> bool:
    """Return whether a pass of that KIND is a password."""
    return bool(_KIND_OF_PASSWORD.search(kind))


def _is_harmless(word: str, value: str) -> bool:
    """Return whether VALUE cannot be a secret although its name ends in WORD: a switch, a count, a working folder."""
    if value.lower() in _NO_SECRETS:
        return True
    if word.lower() == "token":
        return value.isdigit() and len(value) <= _SHORT_NUMBER
    if word.lower() in _SHORT_WORDS:
        return bool(_FRACTION.fullmatch(value))
    return word.lower() == "pwd" and value.startswith(_PATH_BEGINNINGS)


def _up_to_mark(found: re.Match[str]) -> str:
    """Return what was FOUND up to the empty group in it, behind which the secret begins."""
    return f"{found.string[found.start() : found.end(found.lastindex or 0)]}{REDACTED}"


def _redact_token(found: re.Match[str]) -> str:
    """Return what replaces a token, or what only begins like one: no word after 'sk-' (as in sk-learn) has a digit."""
    is_word = found["sk"] and not any(map(str.isdigit, found["sk"]))
    return found[0] if is_word else REDACTED


def _without_credentials(found: re.Match[str]) -> str:
    """Return the beginning of an address without its user and password."""
    who = found[1] if found[1] is not None else found[2]
    before = found.string[max(0, found.start() - _LOOK_BACK) : found.start()]
    scheme = before[len(before.rstrip(_NAME_CHARACTERS + "+")) :]
    user = who.partition(":")[0] if scheme.lower() in _SCHEMES_WITH_USERS else ""
    return f"://{user}@" if user else "://"


def _without_named_values(text: str) -> str:
    """Return TEXT without the values that follow the name of a secret."""
    pieces = []
    done = 0
    for found in _NAMED.finditer(text):
        # What is read and then left alone is read again, so it must be short: the path of a working folder need not be.
        is_folder = text.startswith(_PATH_BEGINNINGS, found.end()) and _is_harmless(found["word"], "/")
        if found.start() < done or is_folder or not _is_name(found):
            continue
        value = _VALUE.match(text, found.end())
        if value and value.lastgroup and _is_secret(found, value[value.lastgroup]):
            start, end = value.span(value.lastgroup)
            pieces += [text[done:start], REDACTED]
            done = end
    return "".join([*pieces, text[done:]])


def _is_name(found: re.Match[str]) -> bool:
    """Return whether the word FOUND names a secret, which with a blank behind it only an option does."""
    head = found.string[max(0, found.start() - _LOOK_BACK) : found.start()]
    is_option = head[len(head.rstrip(_NAME_CHARACTERS)) :].startswith("-")
    return (is_option or found["sign"] is not None) and _is_secret_kind(found["word"], head)


def _is_secret(found: re.Match[str], value: str) -> bool:
    """Return whether VALUE is one, behind the name FOUND."""
    if found["sign"] is None and _is_option(value):
        return False
    if _is_harmless(found["word"], value) or _is_plain_token(found, value):
        return False
    return not _is_prose(found) or _looks_random(value)


def _is_plain_token(found: re.Match[str], value: str) -> bool:
    """Return whether VALUE is a word of a language behind a key that is exactly token."""
    before = found.string[max(0, found.start() - 1) : found.start()]
    is_key = found["word"] == "token" and found["sign"] == ":" and (not before or before not in _NAME_CHARACTERS)
    return is_key and bool(_WORD_OF_A_LANGUAGE.fullmatch(value))


def _is_prose(found: re.Match[str]) -> bool:
    """Return whether the word FOUND may just end half a sentence, as in 'each token: its position'."""
    if found["sign"] != ":" or not found["space"] or found["word"].lower() not in _WORDS_OF_PROSE:
        return False
    before = found.string[max(0, found.start() - _LOOK_BACK) : found.start()]
    before = before.rstrip(_NAME_CHARACTERS).rstrip(" \t")
    return bool(before) and before[-1] not in _BEFORE_A_NAME


def _looks_random(value: str) -> bool:
    """Return whether VALUE mixes letters and digits as words do not."""
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both and len(value) >= _LONG_ENOUGH_TO_BE_RANDOM
