# Does a JSON document match a JSON schema, and is each of its keys described?
#     json-schema.py SCHEMA DOCUMENT
# Ends with 77 if the module jsonschema is not installed.
# SPDX-License-Identifier: GPL-2.0-or-later
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def forbid_others(schema):
    """Later versions may add keys; this one must not have any undescribed."""
    if isinstance(schema, list):
        for part in schema:
            forbid_others(part)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            schema["additionalProperties"] = False
        for part in schema.values():
            forbid_others(part)


schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
forbid_others(schema)
jsonschema.Draft202012Validator(schema).validate(json.load(open(sys.argv[2])))
