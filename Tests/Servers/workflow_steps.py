"""Prints a job of a GitHub workflow as a Bash script: its commands, and the jobs that it hands to Preheat's own action.

Expressions become what this program is told. Of the actions of others it has what they keep: caches, which a branch
or tag (REFERENCE) finds of its own and of the default branch (main), and artifacts, which lose hidden files and dates.
Both lie in KEPT.
Usage: workflow_steps.py WORKFLOW JOB CHECKOUT [EXPRESSION=VALUE]...
"""

import re
import shlex
import sys

import yaml

workflow, job, checkout, *values = sys.argv[1:]
known = dict(value.split("=", 1) for value in values)


def exported(variables: dict) -> str:
    lines = []
    for name, value in variables.items():
        text = re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: known[found[1]], str(value))
        lines.append(f"export {name}={shlex.quote(text)}")
    return "\n".join(lines)


def restore(paths: list[str]) -> str:
    return 'for name in "$REFERENCE" main; do test ! -d "$KEPT/caches/$name" || { cp -a "$KEPT/caches/$name/." .; break; }; done'


def save(paths: list[str]) -> str:
    names = " ".join(map(shlex.quote, paths))
    return f'mkdir -p "$KEPT/caches/$REFERENCE"\ncp -a --parents {names} "$KEPT/caches/$REFERENCE"'


def upload(paths: list[str]) -> str:
    names = " ".join(map(shlex.quote, paths))
    found = f"find {names} -type f -not -path '*/.*' 2> find.log || true"
    return f'rm -rf "$KEPT/artifacts"\nmkdir -p "$KEPT/artifacts"\n( {found} ) | xargs -r cp --parents -t "$KEPT/artifacts"'


ACTIONS = {
    "actions/cache/restore": restore,
    "actions/cache/save": save,
    "actions/cache": lambda paths: f"{restore(paths)}\nat_the_end() {{\n{save(paths)}\n}}\ntrap at_the_end EXIT",
    "actions/upload-artifact": upload,
    "actions/download-artifact": lambda paths: 'cp -R "$KEPT/artifacts/." .',
}

with open(workflow, encoding="utf-8") as file:
    tree = yaml.safe_load(file)
print("set -euo pipefail")
print(exported(tree.get("env", {})))
for step in tree["jobs"][job]["steps"]:
    command = step.get("run")
    variables = dict(step.get("env", {}))
    inputs = step.get("with", {})
    if step.get("uses", "").startswith("OWNER/preheat@") and "jobs" in inputs:
        command = shlex.quote(f"{checkout}/packaging/action/run")
        variables |= {"JOBS": inputs["jobs"], "ARGUMENTS": inputs.get("arguments", ""), "REPORT": "report"}
    if action := ACTIONS.get(step.get("uses", "").split("@")[0]):
        print(action(str(inputs.get("path", "")).split()))
    if command:
        print(f"( {exported(variables) or ':'}\necho '## '{shlex.quote(step.get('name', ''))}\n{command}\n)")
