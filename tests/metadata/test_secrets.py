"""Does every secret go, and does everything else stay?

The tokens are made up and put together here, so that no scanner takes this file for a leak.
"""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.metadata.secrets import REDACTED, redact, redact_command, redact_tree, redact_url

RANDOM = "a1B2c3D4" * 5
GITHUB = "ghp_" + RANDOM[:36]
GITLAB = "glpat-" + RANDOM[:20]
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
PEM = "-----BEGIN {0}PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ==\n-----END {0}PRIVATE KEY-----"


def text_case(text: str, expected: str, name: str) -> object:
    """Return a case for a text of which exactly the secret must go."""
    return pytest.param(text, expected, id=name)


# Known by shape ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(GITHUB, id="GitHub, personal"),
        pytest.param("gho_" + RANDOM[:36], id="GitHub, OAuth"),
        pytest.param("ghs_" + RANDOM[:36], id="GitHub, server"),
        pytest.param("ghu_" + RANDOM[:36], id="GitHub, user"),
        pytest.param("ghr_" + RANDOM[:36], id="GitHub, refresh"),
        pytest.param("github_pat_" + RANDOM[:22] + "_" + RANDOM, id="GitHub, fine-grained"),
        pytest.param(GITLAB, id="GitLab, personal"),
        pytest.param("glptt-" + RANDOM, id="GitLab, trigger"),
        pytest.param("hf_" + RANDOM[:34], id="Hugging Face"),
        pytest.param("sk-" + RANDOM, id="OpenAI"),
        pytest.param("sk-proj-" + RANDOM + "_-" + RANDOM, id="OpenAI, project"),
        pytest.param("sk-ant-api03-" + RANDOM + "-AA", id="Anthropic"),
        pytest.param("AKIA" + "A1B2C3D4" * 2, id="AWS, permanent"),
        pytest.param("ASIA" + "A1B2C3D4" * 2, id="AWS, temporary"),
        pytest.param("xoxb-" + "123456789012-" + RANDOM, id="Slack, bot"),
        pytest.param("xoxp-" + "123456789012-" + RANDOM, id="Slack, person"),
        pytest.param("AIza" + RANDOM[:35], id="Google"),
        pytest.param(
            "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxIn0" + ".dozjgNryP4J3-_jVmN", id="JSON web token"
        ),
        pytest.param("pypi-AgE" + "IcHlwaS5vcmc" + RANDOM, id="PyPI"),
        pytest.param("npm_" + RANDOM[:36], id="npm"),
        pytest.param("jina_" + RANDOM, id="Jina"),
    ],
)
@pytest.mark.parametrize(
    "frame", ["{}", "see {}.", "'{}'", "x={}", "({})", "a\n{}\nb", "--model={}", "/srv/{}/x", "-{}"]
)
def test_a_token_goes_wherever_it_stands(token: str, frame: str) -> None:
    assert redact(frame.format(token)) == frame.format(REDACTED)


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_goes_as_a_whole(kind: str) -> None:
    assert redact(f"before\n{PEM.format(kind)}\nafter") == "before\nREDACTED\nafter"


def test_a_private_key_in_one_line_goes() -> None:
    assert redact(PEM.format("").replace("\n", "\\n") + " after") == "REDACTED after"


def test_a_private_key_that_is_cut_off_goes_to_the_end() -> None:
    assert redact("before " + PEM.format("RSA ")[:60]) == "before REDACTED"


def test_each_of_two_private_keys_goes_and_what_is_between_stays() -> None:
    assert redact(PEM.format("") + " and " + PEM.format("EC ")) == "REDACTED and REDACTED"


# Addresses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        text_case("https://ada:s3cret@example.org/x", "https://example.org/x", "user and password"),
        text_case(f"https://{GITHUB}@github.com/o/r.git", "https://github.com/o/r.git", "a token as the user"),
        text_case("https://abc@github.com/o/r.git", "https://github.com/o/r.git", "an unknown user"),
        text_case(f"https://oauth2:{GITLAB}@gitlab.com/o/r", "https://gitlab.com/o/r", "GitLab"),
        text_case("https://x-access-token:abc@github.com/o/r", "https://github.com/o/r", "GitHub Actions"),
        text_case("http://:s3cret@localhost:8080/", "http://localhost:8080/", "a password without a user"),
        text_case("postgresql://ada:p%40ss@db:5432/runs", "postgresql://db:5432/runs", "a database"),
        text_case("git+https://abc@github.com/o/r@main", "git+https://github.com/o/r@main", "pip"),
        text_case("https://ada:a@b@example.org/x", "https://example.org/x", "an @ in the password"),
        text_case("https://ada:a/b#c?d@example.org/x", "https://example.org/x", "a password that is not escaped"),
        text_case("ssh://git@github.com/o/r", "ssh://git@github.com/o/r", "the user of ssh"),
        text_case("git+ssh://git@github.com/o/r", "git+ssh://git@github.com/o/r", "the user of ssh, pip"),
        text_case("ssh://git:s3cret@host/o/r", "ssh://git@host/o/r", "a password for ssh"),
        text_case("git@github.com:org/repo.git", "git@github.com:org/repo.git", "ssh in short"),
        text_case("https://example.org/@ada/x", "https://example.org/@ada/x", "an @ in the path"),
        text_case("https://example.org:8080/a@b", "https://example.org:8080/a@b", "a port, and an @ in the path"),
        text_case("https://example.org?to=a@b.org", "https://example.org?to=a@b.org", "an @ in the query"),
        text_case(f"docker://python:3.11@sha256:{SHA256}", f"docker://python:3.11@sha256:{SHA256}", "an image"),
        text_case("https://orcid.org/0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189", "an ORCID"),
    ],
)
def test_an_address_keeps_everything_but_who_asks(url: str, expected: str) -> None:
    assert redact_url(url) == expected
    assert redact(f"cloned from {url} today") == f"cloned from {expected} today"


@pytest.mark.parametrize(
    "parameter",
    [
        "token", "access_token", "api_key", "apikey", "api-key", "key", "sig", "signature", "password", "secret",
        "client_secret", "private_token", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token",
        "X-Goog-Signature", "AWSAccessKeyId",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", ["?", "?a=1&"])
def test_a_secret_parameter_goes_and_the_others_stay(parameter: str, mark: str) -> None:
    url = f"https://example.org/x{mark}{parameter}={{}}&page=2"

    assert redact_url(url.format("a%2Fb1")) == url.format(REDACTED)


@pytest.mark.parametrize("parameter", ["page", "keyword", "tokens", "sort_key", "design", "tokenizer"])
def test_a_parameter_with_a_similar_name_stays(parameter: str) -> None:
    assert redact_url(f"https://example.org/x?{parameter}=abc") == f"https://example.org/x?{parameter}=abc"


def test_blanks_around_an_address_are_taken_off() -> None:
    assert redact_url(" https://a:b@example.org/x\n") == "https://example.org/x"


# Known by name -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        text_case("search --password hunter2 --k 5", "search --password REDACTED --k 5", "an option"),
        text_case("search --password=hunter2 --k 5", "search --password=REDACTED --k 5", "an option with ="),
        text_case("java -password hunter2 Main", "java -password REDACTED Main", "an option with one dash"),
        text_case("x --api-key abc", "x --api-key REDACTED", "a key"),
        text_case("x --token \\\n  abc y", "x --token \\\n  REDACTED y", "a line that goes on"),
        text_case("['x', '--token', 'abc', 'y']", "['x', '--token', 'REDACTED', 'y']", "a list in Python"),
        text_case('x --token "a b" y', 'x --token "REDACTED" y', "a quoted value"),
        text_case("x --secret abc", "x --secret REDACTED", "a secret"),
        text_case("PGPASSWORD=hunter2 psql", "PGPASSWORD=REDACTED psql", "a variable"),
        text_case("export OPENAI_API_KEY=abc;run", "export OPENAI_API_KEY=REDACTED;run", "an exported variable"),
        text_case("HF_TOKEN='a b' run", "HF_TOKEN='REDACTED' run", "a quoted variable"),
        text_case("API_KEY_2=abc", "API_KEY_2=REDACTED", "a numbered variable"),
        text_case("DB_PASS=abc MYSQL_PWD=def", "DB_PASS=REDACTED MYSQL_PWD=REDACTED", "short forms"),
        text_case("AWS_SECRET_ACCESS_KEY=a/b+c", "AWS_SECRET_ACCESS_KEY=REDACTED", "AWS"),
        text_case("AccountKey=abc==;Endpoint=x", "AccountKey=REDACTED;Endpoint=x", "a connection"),
        text_case('{"token": "a\\"b", "k": 5}', '{"token": "REDACTED", "k": 5}', "JSON"),
        text_case(
            '"{\\"token\\": \\"abc\\", \\"k\\": 5}"', '"{\\"token\\": \\"REDACTED\\", \\"k\\": 5}"', "JSON in JSON"
        ),
        text_case("k: 5\ntoken: abc\n", "k: 5\ntoken: REDACTED\n", "YAML"),
        text_case("- token: abc", "- token: REDACTED", "YAML, in a list"),
        text_case("login(token=b'abc')", "login(token=b'REDACTED')", "Python"),
        text_case("login(token=abc, k=5)", "login(token=REDACTED, k=5)", "Python, a bare value"),
        text_case("password = hunter2\nk = 5", "password = REDACTED\nk = 5", "INI"),
        text_case("my password: hunter2", "my password: REDACTED", "a sentence"),
        text_case(f"the token: {RANDOM}", "the token: REDACTED", "a sentence with what looks random"),
        text_case("Authorization: Bearer abc", "Authorization: REDACTED", "a header"),
        text_case("-H 'Authorization: Basic YTpi' x", "-H 'Authorization: REDACTED' x", "a quoted header"),
        text_case('-H "X-Api-Key: abc" x', '-H "X-Api-Key: REDACTED" x', "another header"),
        text_case('-H "Cookie: a=b; c=d" x', '-H "Cookie: REDACTED" x', "a cookie"),
        text_case("> Cookie: a=b; c=d\n> Host: x", "> Cookie: REDACTED\n> Host: x", "a header in a log"),
        text_case("curl -H Cookie:a=b", "curl -H Cookie:REDACTED", "a header without quotes"),
        text_case("sent Authorization: Bearer abc to it", "sent Authorization: Bearer REDACTED to it", "a scheme"),
        text_case("curl -u ada:s3cr3tpw x", "curl -u ada:REDACTED x", "a user of curl"),
        text_case("curl --user 'ada:my pw' x", "curl --user 'ada:REDACTED' x", "a quoted user of curl"),
        text_case('curl --proxy-user "ada:a\\"b" x', 'curl --proxy-user "ada:REDACTED" x', "a quote in the password"),
        text_case("['curl', '-u', 'ada:pw']", "['curl', '-u', 'ada:REDACTED']", "a user in a list"),
        text_case('"curl -u \\"ada:p w\\" x"', '"curl -u \\"ada:REDACTED\\" x"', "a user in JSON"),
        text_case("http --auth ada:pw x", "http --auth ada:REDACTED x", "a user of httpie"),
        text_case("http --auth=ada:pw; x", "http --auth=ada:REDACTED; x", "a user before the next command"),
        text_case("ES_PASS=abc x --es-pass abc", "ES_PASS=REDACTED x --es-pass REDACTED", "the pass of any server"),
        text_case("GITLAB_PAT=abcd x --pat abcd", "GITLAB_PAT=REDACTED x --pat REDACTED", "personal access tokens"),
        text_case("x --pw abc pw=abc DB_PW=abc", "x --pw REDACTED pw=REDACTED DB_PW=REDACTED", "shorter forms"),
        text_case("search --pat abcd", "search --pat REDACTED", "a word before an option"),
        text_case("query --token abc", "query --token REDACTED", "a word before an option that would change its name"),
        text_case("x --bearer abcdef123456 y", "x --bearer REDACTED y", "a bearer as an option"),
        text_case("x --jwt abc.def.ghi JWT=abc", "x --jwt REDACTED JWT=REDACTED", "a web token of no known shape"),
        text_case(
            'python -c \'os.environ["OPENAI_API_KEY"]="abc"\'',
            'python -c \'os.environ["OPENAI_API_KEY"]="REDACTED"\'',
            "a variable set in Python",
        ),
        text_case("environ['HF_TOKEN'] = 'abc'; x", "environ['HF_TOKEN'] = 'REDACTED'; x", "... with blanks"),
        text_case("token: Abcdef\nHF_token: abcdef", "token: REDACTED\nHF_token: REDACTED", "no plain word"),
        text_case(f"sent bearer {'a1.b2-' * 4}= to it", "sent bearer REDACTED to it", "a bearer without a header"),
    ],
)
def test_a_value_goes_for_its_name(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "search --tokenizer porter --num-tokens 512 --key-field id",
        "search --max-token 512 --stop-token END --use-auth-token --model x",
        "search --token --model x",
        "token count: 5",
        "token: 5",
        "each token: its position in the text",
        "Users accept each cookie: we show that BM25 wins by 5 points. Second sentence.",
        "They ask for authorization: we show that nobody reads it.",
        "method:\n  retrieval:\n  - token: whitespace\n",
        'tokenizer {"token": "whitespace"}',
        "docker run -u 1000:1000 --user 1000:1000 x",
        "curl -u http://example.org:80/x; python -u run.py; git push -u origin main:main",
        "--first-pass bm25 first_pass=bm25 by-pass: x pw=0.5 --file-pat x Pat: Smith",
        "[--token] abc",
        "the token and its password are kept elsewhere",
        "bm25.k1=0.9 bm25.b=0.4 sort_key=date primary_key=id key=value pass=2 compass=north",
        'tokenizer(pad_token="[PAD]", eos_token="</s>", mask_token=None, use_auth_token=True)',
        "cls_token: [CLS]",
        "PWD=/srv/runs OLDPWD=/srv",
        "token_file=/run/secrets/x password_file=/run/x secret_name=db",
        "python-token==1.2 secret==0.3.1 tokenizers==0.15.2 ghp-import==2.1.0 sk-learn==1.0",
        "git@github.com:org/repo.git",
        "ada@example.org",
        "0000-0002-0661-7189",
        "9548cd6 commit 9875857a2d0c1f4e8b6a7c5d3e2f1a0b9c8d7e6f",
        SHA256,
        "hf_hub_download hf_transfer gho_st sk-learn-contrib-imbalanced-learning eyJ AIza AKIA xoxo-lovely",
        "-----BEGIN PUBLIC KEY-----\nMIIEvQIBADANBg\n-----END PUBLIC KEY-----",
        "Secret::new() token://x password::hash",
        "basic retrieval-oriented bearer of responsibilities",
        "password=\ntoken=''\nsecret: \n",
        "Grüße, 東京 \x00 \ud800",
        "",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


# Commands ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(["x", "--password", "a b&c;\"'"], ["x", "--password", REDACTED], id="any value"),
        pytest.param(["x", "--password=a b&c;\"'"], ["x", "--password=REDACTED"], id="any value after ="),
        pytest.param(["env", "HF_TOKEN=a b&c", "x"], ["env", "HF_TOKEN=REDACTED", "x"], id="a variable"),
        pytest.param(["x", "-Ddb.password=a&b"], ["x", "-Ddb.password=REDACTED"], id="a property of Java"),
        pytest.param(["x", "--password", "-a1b2"], ["x", "--password", REDACTED], id="a value with a dash"),
        pytest.param(["x", "--token", "--k", "5"], ["x", "--token", "--k", "5"], id="an option without a value"),
        pytest.param(["x", "--token", "-k", "5"], ["x", "--token", "-k", "5"], id="... before a short option"),
        pytest.param(["x", "--token"], ["x", "--token"], id="an option at the end"),
        pytest.param(["x", "--token", "a", "b"], ["x", "--token", REDACTED, "b"], id="only the next argument"),
        pytest.param(["x", "token", "b"], ["x", "token", "b"], id="no option"),
        pytest.param(["x", "--tokenizer", "porter"], ["x", "--tokenizer", "porter"], id="a similar name"),
        pytest.param(["x", "--max-token", "512"], ["x", "--max-token", "512"], id="a token of text"),
        pytest.param(["x", "token==1.0"], ["x", "token==1.0"], id="a version"),
        pytest.param(["x", "-p", "abc"], ["x", "-p", "abc"], id="a letter says nothing"),
        pytest.param(
            ["sh", "-c", "x --token abc | y"], ["sh", "-c", "x --token REDACTED | y"], id="a command in a command"
        ),
        pytest.param(
            ["curl", "-H", "Authorization: Bearer abc"], ["curl", "-H", "Authorization: REDACTED"], id="a header"
        ),
        pytest.param(["curl", "-u", "ada:a b'\"c;d"], ["curl", "-u", "ada:REDACTED"], id="a user with any password"),
        pytest.param(
            ["curl", "--user=ada:a b"], ["curl", "--user=ada:REDACTED"], id="a user with any password after ="
        ),
        pytest.param(["docker", "-u", "1000:1000"], ["docker", "-u", "1000:1000"], id="a user and group"),
        pytest.param(["wget", "--user", "ada"], ["wget", "--user", "ada"], id="a user alone"),
        pytest.param(["python", "-u", GITHUB], ["python", "-u", REDACTED], id="a token that is no user"),
        pytest.param(
            ["x", "--pat", "abcd", "--pw", "abc"], ["x", "--pat", REDACTED, "--pw", REDACTED], id="short names"
        ),
        pytest.param(
            ["python", "-c", 'os.environ["OPENAI_API_KEY"]="abc"'],
            ["python", "-c", 'os.environ["OPENAI_API_KEY"]="REDACTED"'],
            id="a variable set in Python",
        ),
        pytest.param([f"--{GITHUB}-token=abc"], ["--REDACTED-token=REDACTED"], id="a secret in the name of one"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_a_command_loses_its_secrets(command: list[str], expected: list[str]) -> None:
    assert redact_command(command) == expected


# Trees -------------------------------------------------------------------------------------------------------


def test_a_tree_loses_its_secrets_at_every_depth() -> None:
    tree = {
        "implementation": {
            "executable": {"cmd": ["x", "--token", "abc"]},
            "source": {"repository": "https://a:b@example.org/r"},
        },
        "method": [{"name": "bm25", "api_key": "abc"}, {"note": f"used {GITHUB}"}],
        "pair": ("HF_TOKEN=abc", "x"),
    }

    assert redact_tree(tree) == {
        "implementation": {
            "executable": {"cmd": ["x", "--token", REDACTED]},
            "source": {"repository": "https://example.org/r"},
        },
        "method": [{"name": "bm25", "api_key": REDACTED}, {"note": "used REDACTED"}],
        "pair": ("HF_TOKEN=REDACTED", "x"),
    }


@pytest.mark.parametrize("key", ["password", "token", "api_key", "apiKey", "X-Api-Key", "secret", "Authorization"])
@pytest.mark.parametrize("value", ["abc", 12345678, ["a", "b"], {"a": "b"}, 0.25])
def test_everything_under_the_name_of_a_secret_goes(key: str, value: object) -> None:
    assert redact_tree({key: value}) == {key: REDACTED}


@pytest.mark.parametrize(
    "tree",
    [
        {"tokens": 512, "pad_token": "[PAD]", "key": "id", "token": 5, "use_auth_token": True, "password": None},
        {"method": {"retrieval": [{"token": "whitespace"}]}},
        {"abstract": "Users accept each cookie: we show that BM25 wins by 5 points. Second sentence."},
        {"automatic": True, "weight": 0.5, "year": 2019, "params": [1, 2.5, None], 301: "a topic"},
        ["numpy==1.15.4", "tokenizers==0.15.2"],
        "text",
        7,
        None,
    ],
)
def test_a_tree_without_secrets_stays(tree: object) -> None:
    assert redact_tree(tree) == tree


def test_a_secret_that_is_a_key_goes() -> None:
    assert redact_tree({GITHUB: "x"}) == {REDACTED: "x"}


def test_the_tree_that_was_given_is_not_changed() -> None:
    tree = {"cmd": ["x", "--token", "abc"]}

    redact_tree(tree)

    assert tree == {"cmd": ["x", "--token", "abc"]}


# What holds for every text -----------------------------------------------------------------------------------

PARTS = st.sampled_from(
    [
        "token", "TOKEN", "pad_", "password", "secret", "api", "key", "pwd", "user", "Authorization", "Cookie",
        "Bearer", "=", ":", "==", "::", "--", "-", "_", ".", ",", ";", "&", "?", "#", "/", "//", "://", "@", "(", ")",
        "[", "]", "{", "}", '"', "'", "\\", "\\\n", "\n", "\t", " ", "ghp_", "hf_", "sk-", "AKIA", "xoxb-", "glpat-",
        "eyJ", RANDOM, "A1" * 8, "https", "ssh", "git", "none", "5", "b", "s", "izer", "sha256:", REDACTED,
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
        "-u", "--user", "--auth", "-H", "pat", "pw", "jwt", "]", "whitespace", "0.5", "1000:1000",
    ]
)  # fmt: skip
TEXTS = st.text() | st.lists(PARTS, max_size=12).map("".join)


@given(TEXTS)
def test_redacting_a_text_twice_changes_nothing(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@given(TEXTS)
def test_redacting_an_address_twice_changes_nothing(text: str) -> None:
    assert redact_url(redact_url(text)) == redact_url(text)


@given(st.lists(TEXTS, max_size=4))
def test_redacting_a_command_twice_changes_nothing(command: list[str]) -> None:
    assert redact_command(redact_command(command)) == redact_command(command)


@given(st.recursive(TEXTS | st.integers() | st.none(), lambda tree: st.lists(tree) | st.dictionaries(TEXTS, tree)))
def test_redacting_a_tree_twice_changes_nothing(tree: object) -> None:
    assert redact_tree(redact_tree(tree)) == redact_tree(tree)


@given(st.text(string.ascii_letters + string.digits + "!$%*+/:?@^_~|<>é", min_size=1))
def test_no_password_survives_as_an_argument(password: str) -> None:
    command = ["x", f"--password={password}", "--api-key", f"0{password}"]

    safe = redact_command(command)

    assert safe[0] == "x"
    assert safe[1] in {"--password=REDACTED", *(f"--password={word}" for word in [password] if is_switch(word))}
    assert safe[2:] == ["--api-key", REDACTED]


def is_switch(word: str) -> bool:
    """Return whether a word only says yes or no, which is no password."""
    return word.lower() in {"true", "false", "yes", "no", "none", "null"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "a", "a.", "-", "--", "://", "://a:b", "://@", "eyJ-", "eyJaaaaaaaaaaaaaaaa.", "sk-", "sk-a", "ghp_",
        "token", "token=", "token=)", "token ", "token: ", "a token: b ", "pad_token=", 'token="', "token=\\", "pwd=/",
        "--token ", "--token -a ", "password=none ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "Authorization:\n",
        "cookie :\\", "Bearer a", "?key=", "-u=", "-u a:", "-u 'a:", '--user="a', "-u=1:1 ", "-u a:1", '"cookie:',
        "-H ", "authorization: basic ", "pat=", "--pw 0.5 ", 'token"]', "token: word ",
    ],
)  # fmt: skip
def test_a_quarter_of_a_megabyte_of_hostile_text_comes_back(piece: str) -> None:
    # Going over it again and again would take many minutes: no clock is needed to notice that.
    text = (piece * 250_000)[:250_000]

    safe = redact(text)

    assert safe == redact(safe)
