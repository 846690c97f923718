"""JSON Schema (2020-12), as much of it as docs/json.schema.json uses; any other keyword is an error."""

import json
import os

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def load():
    with open(os.path.join(PROJECT, "docs/json.schema.json")) as file:
        return json.load(file)


def problems(value, schema, root=None, at="$"):
    """What is wrong with `value`: sentences; none if it is valid."""
    root = root or schema
    found = []
    for keyword, wanted in schema.items():
        if keyword in ANNOTATIONS:
            continue
        check = CHECKS[keyword]  # KeyError: the validator has to learn the keyword
        found += check(value, wanted, schema, root, at)
    return found


def is_a(value, name):
    # bool is an int in Python, not in JSON.
    return isinstance(value, TYPES[name]) and (not isinstance(value, bool) or name == "boolean")


def check_type(value, wanted, schema, root, at):
    names = [wanted] if isinstance(wanted, str) else wanted
    return [] if any(is_a(value, name) for name in names) else [f"{at}: {value!r} is no {' or '.join(names)}"]


def check_ref(value, wanted, schema, root, at):
    target = root
    for part in wanted.removeprefix("#/").split("/"):
        target = target[part]
    return problems(value, target, root, at)


def check_one_of(value, wanted, schema, root, at):
    tried = [problems(value, option, root, at) for option in wanted]
    fitting = sum(1 for one in tried if not one)
    return [] if fitting == 1 else [f"{at}: fits {fitting} of the alternatives"] + min(tried, key=len)


def check_required(value, wanted, schema, root, at):
    return [f"{at}: {name} is missing" for name in wanted if isinstance(value, dict) and name not in value]


def check_properties(value, wanted, schema, root, at):
    if not isinstance(value, dict):
        return []
    return [problem for name, rule in wanted.items() if name in value for problem in problems(value[name], rule, root, f"{at}.{name}")]


def check_additional(value, wanted, schema, root, at):
    if not isinstance(value, dict):
        return []
    more = [name for name in value if name not in schema.get("properties", {})]
    if wanted is False:
        return [f"{at}: {name} is unheard of" for name in more]
    return [problem for name in more for problem in problems(value[name], wanted, root, f"{at}.{name}")]


CHECKS = {
    "type": check_type,
    "$ref": check_ref,
    "oneOf": check_one_of,
    "required": check_required,
    "properties": check_properties,
    "additionalProperties": check_additional,
    "const": lambda value, wanted, schema, root, at: [] if value == wanted else [f"{at}: {value!r} is not {wanted!r}"],
    "enum": lambda value, wanted, schema, root, at: [] if value in wanted else [f"{at}: {value!r} is none of {wanted}"],
    "minimum": lambda value, wanted, schema, root, at: [] if not isinstance(value, (int, float)) or value >= wanted else [f"{at}: {value} is below {wanted}"],
}
