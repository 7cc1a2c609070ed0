"""What bash, zsh and fish offer behind a command line of ulpscope-cli. Argument: the program."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
COMMANDS = {"run", "submit", "task", "merge", "jobs", "record", "report", "check", "compare", "diverge", "logprobs", "export", "inspect",
            "tokenize", "models", "devices", "schema", "doctor", "completion", "manual"}
FORMATS = {"text", "md", "fast-llm"}


def script(shell):
    return subprocess.run([PROGRAM, "completion", shell], check=True, capture_output=True, text=True).stdout


def run(*words, **settings):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, **settings)
    if done.stderr:
        raise AssertionError(done.stderr)
    return done.stdout


def bash(line):
    """Offers for the last word of the line, taken apart as bash takes it."""
    words = line.replace("=", " = ").split(" ")
    lines = [script("bash"), "COMP_WORDS=(" + " ".join(f"'{word}'" for word in words) + ")",
             f"COMP_CWORD={len(words) - 1}", "_ulpscope_cli", 'printf "%s\\n" "${COMPREPLY[@]}"']
    return set(run("bash", "-c", "\n".join(lines)).split())


def fish(line):
    with tempfile.TemporaryDirectory() as home:
        text = script("fish") + "\ncomplete -C " + "'" + line + "'"
        offered = run("fish", "--no-config", "-c", text, env=os.environ | {"HOME": home}, cwd=home)
    return {each.split("\t")[0] for each in offered.splitlines()}


ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; fpath=($1 $fpath); autoload -Uz compinit; compinit -u -d $1/dump; zstyle ':completion:*' list-colors ''"
# Whatever is offered is printed, and the line given up.
zpty -w shell 'show() { compadd() { local -a offered; builtin compadd -A offered "$@"; print -rl -- "" OFFER:$^offered; builtin compadd "$@" }; _main_complete }'
zpty -w shell 'zle -C show complete-word show; bindkey "^I" show; print READY""NOW'
zpty -r -m shell line '*READYNOW*'
zpty -w -n shell "$2"$'\t'
sleep 2
zpty -w -n shell $'\C-u'
zpty -w shell 'print ALL""DONE'
zpty -r -m shell line '*ALLDONE*'
print -r -- $line
"""


def zsh(line):
    with tempfile.TemporaryDirectory() as home:
        pathlib.Path(home, "_ulpscope-cli").write_text(script("zsh"))
        offered = run("zsh", "-f", "-c", ZSH, "zsh", home, line, env=os.environ | {"HOME": home, "TERM": "dumb"}, cwd=home)
    return {each.strip()[len("OFFER:"):] for each in offered.splitlines() if each.strip().startswith("OFFER:")}


ASKED = ["ulpscope-cli ", "ulpscope-cli tokenize --f", "ulpscope-cli tokenize --", "ulpscope-cli schema --format "]


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor() as pool:  # each waits for two seconds
            cls.of_zsh = dict(zip(ASKED, pool.map(zsh, ASKED)))

    def test_every_command_is_offered(self):
        self.assertEqual({each for each in bash("ulpscope-cli ") if not each.startswith("-")}, COMMANDS)
        self.assertEqual(fish("ulpscope-cli "), COMMANDS)
        self.assertEqual(self.of_zsh["ulpscope-cli "], COMMANDS)

    def test_commands_are_offered_by_what_they_begin_with(self):
        for shell in (bash, fish):
            with self.subTest(shell.__name__):
                self.assertEqual(shell("ulpscope-cli rep"), {"report"})

    def test_options_are_those_of_the_command(self):
        self.assertEqual(bash("ulpscope-cli tokenize --f"), {"--file", "--format"})
        self.assertEqual(fish("ulpscope-cli tokenize --f"), {"--file", "--format"})
        self.assertLessEqual({"--file", "--format"}, self.of_zsh["ulpscope-cli tokenize --f"])
        self.assertNotIn("--rules", self.of_zsh["ulpscope-cli tokenize --"])

    def test_listed_values_are_offered_behind_their_option(self):
        self.assertEqual(bash("ulpscope-cli schema --format "), FORMATS)
        self.assertEqual(bash("ulpscope-cli schema --format=f"), {"fast-llm"})
        self.assertEqual(fish("ulpscope-cli schema --format "), FORMATS)
        self.assertEqual(self.of_zsh["ulpscope-cli schema --format "], FORMATS)

    def test_other_values_are_files(self):
        self.assertEqual(bash("ulpscope-cli report --output "), set())
        self.assertEqual(bash("ulpscope-cli run "), set())

    def test_the_command_of_somebody_else_is_left_alone(self):
        self.assertEqual(bash("ulpscope-cli record -- python --"), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
