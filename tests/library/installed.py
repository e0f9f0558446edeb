#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installed library as other programs see it.

Installs the library into a prefix below the build folder and builds the examples against
it: by pkg-config, by CMake, linked to the shared library and to the archive. Compares the
exported symbols with symbols.txt, and compiles the headers alone. The manual page names
every function, and its examples are done word for word.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, required=True)
parser.add_argument("--source", type=pathlib.Path, required=True)
parser.add_argument("--cc", default="cc")
parser.add_argument("--cxx", default="c++")
parser.add_argument("--flags", default="", help="sanitizers")
parser.add_argument("--libdir", default="lib")
options = parser.parse_args()

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FLAGS = shlex.split(options.flags)
HERE = pathlib.Path(__file__).parent
EXAMPLES = options.source / "docs" / "examples"
CASE = options.source / "fixtures" / "specrail" / "handoff" / "input.json"
failures = 0


def check(name, good, what=""):
    global failures
    print(f"{name}: {'ok' if good else 'FAILED'}")
    if not good:
        failures += 1
        print(what)


def run(command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, **more)


def try_command(name, command, **more):
    done = run(command, **more)
    check(name, done.returncode == 0, done.stdout + done.stderr)
    return done


def install(prefix):
    for component in ("library", "development"):
        done = run(["cmake", "--install", options.build, "--prefix", prefix,
                    "--component", component])
        if done.returncode != 0:
            sys.exit(done.stderr)


def check_symbols(prefix):
    done = run(["nm", "-D", "--defined-only", prefix / options.libdir / "libocp.so"])
    found = sorted(line.split()[2].split("@")[0] for line in done.stdout.splitlines()
                   if line.split()[1] != "A")
    expected = (HERE / "symbols.txt").read_text().split()
    check("the exported symbols equal the list", found == expected,
          f"too many: {sorted(set(found) - set(expected))}\n"
          f"missing: {sorted(set(expected) - set(found))}")


def check_headers(prefix, scratch):
    json_c = shlex.split(run(["pkg-config", "--cflags", "json-c"]).stdout)
    for header, flags in (("ocp.h", []), ("ocp_json.h", json_c)):
        for language, compiler, standard in (("c", options.cc, "c99"),
                                             ("c", options.cc, "c11"),
                                             ("c++", options.cxx, "c++11")):
            file = scratch / "alone.h.c"
            file.write_text(f"#include <{header}>\n#include <{header}>\n"
                            "extern int alone; int alone;\n")
            try_command(f"{header} compiles alone as {standard}",
                        [compiler, "-x", language, f"-std={standard}", *STRICT,
                         f"-I{prefix}/include", *flags, "-c", file, "-o",
                         scratch / "alone.o"])


def run_examples(how, folder, environment, static=None):
    """All examples do what they say."""
    for name in ("convert", static):
        if name is None:
            continue
        done = try_command(f"{name} ({how}) converts", [folder / name, CASE],
                           env=environment)
        try:
            document = json.loads(done.stdout)
        except ValueError as error:
            document = {"opencheckpoint": str(error)}
        check(f"{name} ({how}) writes OpenCheckpoint",
              document.get("opencheckpoint") == "0.1", done.stdout[:200])
        check(f"{name} ({how}) accounts", ", 0 omitted" in done.stderr, done.stderr)
    done = try_command(f"dialects ({how}) lists", [folder / "dialects"], env=environment)
    check(f"dialects ({how}) knows specrail", "specrail" in done.stdout, done.stdout)
    done = try_command(f"dialects ({how}) tells", [folder / "dialects", CASE],
                       env=environment)
    check(f"dialects ({how}) finds out", done.stdout.endswith(", valid\n"), done.stdout)
    bad = run([folder / "dialects", __file__], env=environment)
    check(f"dialects ({how}) refuses what is none", bad.returncode == 1 and bad.stderr,
          bad.stdout)
    done = try_command(f"edit-with-json-c ({how}) edits",
                       [folder / "edit-with-json-c", CASE, "A new title"],
                       env=environment)
    before, after = json.loads(CASE.read_text()), json.loads(done.stdout or "{}")
    changed = sorted(key for key in before.keys() | after.keys()
                     if before.get(key) != after.get(key))
    check(f"edit-with-json-c ({how}) writes the title", "A new title" in done.stdout,
          done.stdout[:200])
    # The title is this dialect's tranche_id, which names the folder of the artifacts.
    check(f"edit-with-json-c ({how}) changes what depends on the title, and nothing else",
          changed == ["opencheckpoint", "output_firewall", "tranche_id"],
          f"changed: {changed}")


def compare_with_command(folder, environment, path, target):
    """What differs, or None. The command takes the file's time for a document that has none
    and the example does not look at it, so there both are told one."""
    time = "2026-01-01T00:00:00Z"
    ours = run([folder / "convert", path, target], env=environment)
    told = "created-at.unknown" in ours.stderr
    if told:
        ours = run([folder / "convert", path, target, time], env=environment)
    theirs = run([options.build / "ocp-convert", "-q", path, "-t", target,
                  *(["--created-at", time] if told else [])], env=environment)
    if (ours.returncode == 0, ours.stdout) == (theirs.returncode == 0, theirs.stdout):
        return None
    return (f"{path.parent.name} to {target}: {ours.returncode} and {theirs.returncode}\n"
            f"{ours.stderr[:200]}{theirs.stderr[:200]}")


def same_as_command(folder, environment):
    """The library's text and the command's are the same bytes, and so are the refusals."""
    count, wrong = 0, []
    inputs = sorted((options.source / "fixtures").glob("*/*/input.*"))
    for path in inputs:
        model = path.parent.parent.name == "opencheckpoint"
        for target in ("specrail", "session-checkpoint", "caop-pulse") if model else \
                ("opencheckpoint", "session-checkpoint"):
            count += 1
            different = compare_with_command(folder, environment, path, target)
            if different is not None:
                wrong.append(different)
    check(f"the library and the command give the same bytes ({count} conversions)",
          not wrong and count >= 2 * len(inputs) > 0, "\n".join(wrong[:5]))


def by_pkg_config(prefix, scratch, environment):
    found = environment | {"PKG_CONFIG_PATH": f"{prefix / options.libdir}/pkgconfig"}

    def flags(*words):
        return shlex.split(run(["pkg-config", *words], env=found).stdout)

    out = scratch / "pkg-config"
    out.mkdir()
    shared = flags("--cflags", "--libs", "libocp")
    try_command("convert.c builds through pkg-config",
                [options.cc, "-std=c11", *STRICT, *FLAGS, EXAMPLES / "convert.c", "-o",
                 out / "convert", *shared])
    try_command("dialects.cpp builds through pkg-config",
                [options.cxx, "-std=c++11", *STRICT, *FLAGS, EXAMPLES / "dialects.cpp",
                 "-o", out / "dialects", *shared])
    try_command("edit-with-json-c.c builds through pkg-config",
                [options.cc, "-std=c11", *STRICT, *FLAGS, EXAMPLES / "edit-with-json-c.c",
                 "-o", out / "edit-with-json-c",
                 *flags("--cflags", "--libs", "ocp-json")])
    archive = [f"-l:{'libocp.a'}" if flag == "-locp" else flag
               for flag in flags("--static", "--cflags", "--libs", "libocp")]
    try_command("convert.c builds with the archive through pkg-config",
                [options.cc, "-std=c11", *STRICT, *FLAGS, EXAMPLES / "convert.c", "-o",
                 out / "convert-static", *archive])
    run_examples("pkg-config", out,
                 environment | {"LD_LIBRARY_PATH": str(prefix / options.libdir)},
                 "convert-static")
    same_as_command(out, environment | {"LD_LIBRARY_PATH": str(prefix / options.libdir)})


def by_cmake(prefix, scratch, environment):
    out = scratch / "cmake"
    try_command("the examples configure through CMake",
                ["cmake", "-S", EXAMPLES, "-B", out, "-G", "Ninja",
                 f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={options.cc}",
                 f"-DCMAKE_CXX_COMPILER={options.cxx}",
                 f"-DCMAKE_C_FLAGS={options.flags}", f"-DCMAKE_CXX_FLAGS={options.flags}"],
                env=environment)
    try_command("the examples build through CMake", ["cmake", "--build", out],
                env=environment)
    run_examples("CMake", out, environment, "convert-static")


def check_manual(prefix, scratch):
    page = options.source / "docs" / "man" / "libocp.3.scd"
    named = set(re.findall(r"\*(ocp_\w+)\*\(\)", page.read_text()))
    expected = set((HERE / "symbols.txt").read_text().split())
    check("the manual names every function", named == expected,
          f"only there: {sorted(named - expected)}\n"
          f"not there: {sorted(expected - named)}")
    # As the page says it, "cc", with what a build under sanitizers has to add.
    shims = scratch / "shims"
    shims.mkdir()
    compiler = shims / "cc"
    compiler.write_text("#!/bin/sh\nexec " +
                        shlex.join([shutil.which(options.cc), *STRICT, *FLAGS]) + ' "$@"\n')
    compiler.chmod(0o755)
    libraries = prefix / options.libdir
    done = run([sys.executable, options.source / "tests" / "docs" / "run-docs.py",
                "--program", options.build / "ocp-convert", "--source", options.source,
                "--path", shims, "--set", f"PKG_CONFIG_PATH={libraries}/pkgconfig",
                "--set", f"LD_LIBRARY_PATH={libraries}", page], env=dict(os.environ))
    check("the manual's examples do what they say", done.returncode == 0,
          done.stdout + done.stderr)


def main():
    if shutil.which(options.cxx) is None:
        print("skipped: there is no C++ compiler")
        return 77
    prefix = options.build / "tests" / "library-prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    install(prefix)
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        check_symbols(prefix)
        check_headers(prefix, scratch)
        by_pkg_config(prefix, scratch, environment)
        by_cmake(prefix, scratch, environment)
        check_manual(prefix, scratch)
    return 1 if failures else 0


sys.exit(main())
