# Does each object of a SARIF file have only keys that the model of the standard
# has, and all that this demands?  Ends with 77 if Debian's python3-sarif-python-om
# is not installed.
#     sarif.py FILE
# SPDX-License-Identifier: GPL-2.0-or-later
import inspect
import json
import sys

try:
    import attr
    import sarif_om
except ImportError:
    sys.exit(77)

# What the objects under a key are.
classes = {
    "runs": "Run", "tool": "Tool", "driver": "ToolComponent",
    "rules": "ReportingDescriptor", "shortDescription":
    "MultiformatMessageString", "defaultConfiguration":
    "ReportingConfiguration", "results": "Result", "message": "Message",
    "locations": "Location", "location": "Location", "relatedLocations":
    "Location", "codeFlows": "CodeFlow", "threadFlows": "ThreadFlow",
    "physicalLocation": "PhysicalLocation", "artifactLocation":
    "ArtifactLocation", "region": "Region", "address": "Address",
}


def properties(name):
    cls = next(c for n, c in inspect.getmembers(sarif_om, inspect.isclass)
               if n == name)
    return {a.metadata["schema_property_name"]: a.default is attr.NOTHING
            for a in attr.fields(cls)}


def check(value, name, path):
    if isinstance(value, list):
        for i, part in enumerate(value):
            check(part, name, f"{path}[{i}]")
        return
    known = properties(name)
    for key, part in value.items():
        if key not in known:
            sys.exit(f"{path}.{key}: {name} has no such key")
        if key == "originalUriBaseIds":
            for base in part.values():
                check(base, "ArtifactLocation", f"{path}.{key}")
        elif key == "locations" and name == "ThreadFlow":
            check(part, "ThreadFlowLocation", f"{path}.{key}")
        elif key != "properties" and isinstance(part, (dict, list)):
            check(part, classes[key], f"{path}.{key}")
    for key, is_demanded in known.items():
        if is_demanded and key not in value:
            sys.exit(f"{path}: {name} has no {key}")


check(json.load(open(sys.argv[1])), "SarifLog", "")
