#!/usr/bin/env python3
"""Checks that every artifact of a bundle has what Maven Central asks for.

    tools/check_bundle.py DIRECTORY VERSION

POM with name, description, URL, licence, developers and SCM; jar, sources and Javadoc; signature and checksums of each.
Our POMs stand alone besides: no parent, no property, no profile.
"""

import hashlib
import pathlib
import sys
import xml.etree.ElementTree as tree

REQUIRED = ("name", "description", "url", "licenses/license/name", "developers/developer/name", "scm/url", "scm/connection")
SPACE = {"m": "http://maven.apache.org/POM/4.0.0"}


def find(pom, path):
    return pom.find("/".join(f"m:{part}" for part in path.split("/")), SPACE)


def problems_of(directory, version):
    artifact = directory.parent.name
    stem = directory / f"{artifact}-{version}"
    file = pathlib.Path(f"{stem}.pom")
    if not file.exists():
        yield "has no POM"
        return
    text = file.read_text(encoding="utf-8")
    pom = tree.fromstring(text)
    for path in REQUIRED:
        element = find(pom, path)
        if element is None or not (element.text or "").strip():
            yield f"POM lacks {path}"
    for path in ("parent", "profiles", "repositories"):
        if find(pom, path) is not None:
            yield f"POM has {path}"
    if "${" in text:
        yield "POM has a property that nobody resolves"
    if "SNAPSHOT" in text:
        yield "POM names a snapshot"
    for dependency in pom.iter("{http://maven.apache.org/POM/4.0.0}dependency"):
        scope = dependency.find("m:scope", SPACE)
        if scope is not None and scope.text == "test":
            yield "POM has a dependency of tests"
    packaging = find(pom, "packaging")
    files = [file]
    if packaging is None or packaging.text == "jar":
        files += [pathlib.Path(f"{stem}{end}") for end in (".jar", "-sources.jar", "-javadoc.jar")]
    for one in files:
        if not one.exists():
            yield f"lacks {one.name}"
            continue
        if not pathlib.Path(f"{one}.asc").exists():
            yield f"{one.name} is not signed"
        for algorithm in ("md5", "sha1"):
            sum_file = pathlib.Path(f"{one}.{algorithm}")
            if not sum_file.exists():
                yield f"{one.name} has no {algorithm}"
            elif sum_file.read_text().split()[0] != hashlib.new(algorithm, one.read_bytes()).hexdigest():
                yield f"the {algorithm} of {one.name} is wrong"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    directories = sorted(path for path in root.rglob(version) if path.is_dir())
    if not directories:
        sys.exit(f"check_bundle: {root} has no artifact of version {version}")
    failed = 0
    for directory in directories:
        problems = list(problems_of(directory, version))
        failed += bool(problems)
        print(f"{directory.parent.name:20} {'; '.join(problems) or 'complete'}")
    if failed:
        sys.exit(f"check_bundle: {failed} of {len(directories)} artifacts are not complete")


if __name__ == "__main__":
    main()
