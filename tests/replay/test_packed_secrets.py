"""Are files that nobody else must have known by their names and by what is in them, wherever it stands?"""

import io

import pytest

from primad.replay._packed_secrets import Finding, is_secret_name, secret_in

TOKEN = b"ghp_" + b"a1B2c3D4e5F6g7H8i9J0k1L2"
KEY = b"-----BEGIN OPENSSH " + b"PRIVATE KEY-----"  # in two parts, or this file would be one
OF_TOKEN = Finding("something in it looks like an access token")
OF_KEY = Finding("there is a private key in it")
OF_ADDRESS = Finding("an address in it has a password or a key", may_be_example=True)
OF_CONNECTION = Finding("a connection string in it has a password", may_be_example=True)


@pytest.mark.parametrize(
    "path",
    [
        ".env", "prod.env", "deep/prod.env.bak", ".env-local", ".ENV", ".netrc.bak", "_netrc", "id_rsa.old",
        "id_ed25519_work", ".vault_pass", "vault-password.txt", ".vault_pass.txt", ".Renviron", ".Renviron.site",
        ".git-credentials.txt", ".pgpass~", "server.key.1", "terraform.tfstate", ".bash_history", "secrets.yaml",
        ".ssh/known_hosts", "passwords.csv", ".npmrc.old", "my-service-account-1.json",
    ],
)  # fmt: skip
def test_files_are_known_as_secret_by_names_of_that_kind_and_copies_of_them(path: str) -> None:
    assert is_secret_name(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example", "example.env", ".env.sample.txt", "env.yml", "environment.yml", "env.py", "id_rsa.pub",
        "keyboard.py", "tokenizer.json", "secretary.txt", "vault.py", "passage.txt", "history.txt", "run.bak",
        "netrc.py", "README.txt", "monkey", "hockey.csv", "credentials.py", ".gitignore",
    ],
)  # fmt: skip
def test_files_that_only_sound_like_secrets_are_not_taken_for_them(path: str) -> None:
    assert not is_secret_name(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("~" * 100_000 + "x", False, id="marks of copies"),
        pytest.param("x" + ".1" * 50_000 + "x", False, id="numbers of copies"),
        pytest.param("service-account" * 10_000, False, id="words"),
        pytest.param("example." * 10_000 + "env", False, id="an example"),
        pytest.param(".env." + "x" * 100_000, True, id="known by its beginning"),
        pytest.param("x" * 100_000 + ".pem.bak", True, id="known by its end"),
    ],
)
def test_a_name_of_any_length_is_known(name: str, expected: bool) -> None:  # noqa: FBT001
    # To look for the end of it from each place again would take minutes: no clock is needed to notice that.
    assert is_secret_name(name) is expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"x" * 600_000 + b"\n" + TOKEN, OF_TOKEN, id="far behind"),
        pytest.param(b"\x00\x01" + TOKEN + b"\x00", OF_TOKEN, id="beside NUL"),
        pytest.param(b"name\x00" + TOKEN, OF_TOKEN, id="behind a text that NUL ends"),
        pytest.param(TOKEN.decode().encode("utf-16"), OF_TOKEN, id="in wide letters"),
        pytest.param(b"\xff\xfe" * 1000 + KEY, OF_KEY, id="a key in a binary file"),
        pytest.param(b"https://me:s3cret@github.com/x.git\n", OF_ADDRESS, id="address"),
        pytest.param(b"postgresql://ada:s3/cr%40t@db:5432/runs", OF_ADDRESS, id="database, with a / in the password"),
        pytest.param(b"redis://:s3cret@cache:6379/0", OF_ADDRESS, id="password alone"),
        pytest.param(b"https://0123456789abcdef0123456789abcdef@o1.example.org/2", OF_ADDRESS, id="key alone"),
        pytest.param(b"host=db user=ada password=s3cret dbname=runs", OF_CONNECTION, id="words"),
        pytest.param(b"Server=db;Database=runs;Uid=ada;Pwd=s3cret;", OF_CONNECTION, id="semicolons"),
        pytest.param(b"ftp://a:b@c\n" + b"\n" * 3_000_000 + TOKEN, OF_TOKEN, id="the worst of several"),
    ],
)
def test_a_secret_is_found_wherever_it_stands(content: bytes, expected: Finding) -> None:
    assert secret_in(io.BytesIO(content)) == expected


@pytest.mark.parametrize("place", [-60, -20, -1, 0, 1, 4076, 4096])
def test_a_secret_is_found_where_one_piece_ends_and_the_next_begins(place: int) -> None:
    before = b" " * ((1 << 20) + place)

    assert secret_in(io.BytesIO(before + TOKEN + b" " * 5000)) == OF_TOKEN
    assert secret_in(io.BytesIO(before + b"https://me:s3cret@example.org" + b" " * 5000)) == OF_ADDRESS


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"f'postgresql://{user}:{password}@{host}/runs'", id="a place for it in Python"),
        pytest.param(
            b"https://$USER:$TOKEN@github.com https://x:${TOKEN}@github.com https://oauth2:%s@x.org", id="shell"
        ),
        pytest.param(b"https://user:***@example.org https://user:<password>@example.org https://u:xxxx@h", id="hidden"),
        pytest.param(b"http://localhost:8080/@me https://medium.com/@ada https://a.org:443/x@y", id="no credentials"),
        pytest.param(b"ssh://git@github.com/x docker://ubuntu:22.04@sha256:0123", id="user, image"),
        pytest.param(b"connect(host=host, user=user, password=password)", id="arguments"),
        pytest.param(b"host=db user=ada password=$PGPASSWORD", id="a variable"),
        pytest.param(b"x" * (1 << 20) + b"x" + TOKEN + b"x" * (1 << 20), id="in the middle of a long word"),
        pytest.param(b"max_tokens = 512\npassword = input()\nsha = '0123456789abcdef0123456789abcdef'\n", id="code"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_is_no_secret_is_not_taken_for_one(content: bytes) -> None:
    assert secret_in(io.BytesIO(content)) is None


def test_no_more_than_a_piece_of_a_large_file_is_in_memory() -> None:
    class Counted(io.RawIOBase):
        """A file of 8 MB that remembers the most that was asked for at once."""

        left, most = 8, 0

        def read(self, size: int = -1, /) -> bytes:
            """Return the next SIZE bytes."""
            self.most = max(self.most, size if size >= 0 else 1 << 40)
            self.left -= 1
            return b" " * size if self.left >= 0 else b""

    stream = Counted()

    assert secret_in(stream) is None  # type: ignore[arg-type]  # it reads, and that is all that is asked of it
    assert (stream.left, stream.most) == (-1, 1 << 20)
