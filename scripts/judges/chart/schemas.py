"""Splits Kubernetes' OpenAPI description into the files that kubeconform looks for: schemas.py SWAGGER.JSON FOLDER.

Fields that a resource does not have are refused, as kubectl refuses them.
"""

import json
import pathlib
import sys

definitions = json.load(open(sys.argv[1]))["definitions"]
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)

for name, schema in definitions.items():
    if "properties" in schema and "additionalProperties" not in schema:
        schema["additionalProperties"] = False
    if schema.get("format") == "int-or-string":
        definitions[name] = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"] = {"oneOf": [{"type": "string"}, {"type": "number"}]}
(folder / "definitions.json").write_text(json.dumps({"definitions": definitions}).replace('"#/definitions/', '"definitions.json#/definitions/'))

for name, schema in definitions.items():
    for kind in schema.get("x-kubernetes-group-version-kind", []):
        group = kind["group"].split(".")[0]
        file = "-".join(part for part in (kind["kind"].lower(), group, kind["version"]) if part)
        (folder / (file + ".json")).write_text(json.dumps({"$ref": "definitions.json#/definitions/" + name}))
