"""Prints a job of a GitHub workflow as a Bash script: its commands, and the jobs that it hands to Preheat's own action.

Expressions become what this program is told; actions of others are left out.
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
    if command:
        print(f"( {exported(variables) or ':'}\necho '## '{shlex.quote(step.get('name', ''))}\n{command}\n)")
