#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The packages, as a user of them sees them.

Builds the packages in a folder of its own, asks lintian, and installs them on a clean
root made by debootstrap: the command converts, the manual is there, and they remove
cleanly. After that the README's command, word for word, installs what building needs on
the same root, builds a copy of the source and converts. Where there is no debootstrap (or
no right to use it, or nothing to download from), the packages are unpacked into a folder
and the command runs from there.

--mirror URL or OCP_DEBIAN_MIRROR: where debootstrap downloads from.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--source", type=pathlib.Path, required=True)
parser.add_argument("--mirror", default=os.environ.get("OCP_DEBIAN_MIRROR"))
parser.add_argument("--build", type=pathlib.Path, help="a configured package build")
options = parser.parse_args()

CASE = "fixtures/specrail/handoff/input.json"
failures = 0


def check(name, good, what=""):
    global failures
    print(f"{name}: {'ok' if good else 'FAILED'}", flush=True)
    if not good:
        failures += 1
        print(what)


def run(*command, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          **more)


def must(*command, **more):
    done = run(*command, **more)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def build(folder):
    if options.build is None:
        must("cmake", "-S", options.source, "-B", folder, "-G", "Ninja",
             "-DCMAKE_INSTALL_PREFIX=/usr", "-DCMAKE_BUILD_TYPE=Release",
             "-DBUILD_TESTING=OFF")
        must("cmake", "--build", folder)
    out = folder / "packages"
    must("cpack", "--config", folder / "CPackConfig.cmake", "-B", out, cwd=folder)
    return sorted(out.glob("*.deb")), sorted(out.glob("*.tar.gz"))


def ask_lintian(packages):
    if shutil.which("lintian") is None:
        print("skipped: there is no lintian")
        return
    done = run("lintian", "--allow-root", "--fail-on", "error", *packages)
    errors = [line for line in done.stdout.splitlines() if line.startswith("E:")]
    print(done.stdout, end="")
    check("lintian has no errors", not errors and done.returncode == 0, done.stderr)


def converts(name, command, **more):
    with (options.source / CASE).open() as source:
        done = run(*command, "-", "--created-at", "2026-01-01T00:00:00Z", stdin=source,
                   **more)
    check(f"{name} converts", done.returncode == 0 and '"opencheckpoint"' in done.stdout,
          done.stdout + done.stderr)


def mirror():
    if options.mirror:
        return options.mirror
    texts = [path.read_text() for path in
             [pathlib.Path("/etc/apt/sources.list"),
              *pathlib.Path("/etc/apt/sources.list.d").glob("*")] if path.is_file()]
    found = re.search(r"https?://\S+/debian(?=/?\s)", "\n".join(texts))
    return found.group(0) if found else "http://deb.debian.org/debian"


def clean_root(root, folder):
    """A clean Debian with what the packages need, or False."""
    if shutil.which("debootstrap") is None or os.geteuid() != 0:
        return False
    done = run("debootstrap", "--variant=minbase",
               "--include=libglib2.0-0,libyaml-0-2,libjson-c5,zlib1g,libzstd1,man-db",
               "bookworm", root, mirror(), cwd=folder)
    if done.returncode != 0:
        print("debootstrap did not work:", (done.stdout + done.stderr)[-500:])
    return done.returncode == 0


def installs(root, packages):
    needed = [path for path in packages if "libocp-dev" not in path.name]
    for path in needed:
        shutil.copy(path, root / "srv")
    names = [f"/srv/{path.name}" for path in needed]
    before = must("chroot", root, "dpkg", "-l")
    done = run("chroot", root, "dpkg", "-i", *names)
    check("the packages install on a clean root", done.returncode == 0,
          done.stdout + done.stderr)
    converts("the installed command", ["chroot", root, "ocp-convert"])
    done = run("chroot", root, "ldconfig", "-p")
    check("the library is known to the linker", "libocp.so.0" in done.stdout, done.stderr)
    for page in ("ocp-convert", "ocp-mapping"):
        done = run("chroot", root, "man", "-P", "cat", page)
        check(f"man {page}", done.returncode == 0 and "SEE ALSO" in done.stdout,
              done.stderr)
    done = run("chroot", root, "dpkg", "--purge", "ocp-convert", "libocp0")
    check("the packages remove", done.returncode == 0, done.stdout + done.stderr)
    check("nothing of them is left", before == must("chroot", root, "dpkg", "-l") and
          not [path for path in (root / "usr").rglob("*ocp-convert*")], "files are left")


def builds_from_readme(root):
    """The first minutes of docs/first-hour.md."""
    start = "$(command -v sudo) apt-get"
    command = next(line for line in (options.source / "README.md").read_text().splitlines()
                   if line.startswith(start))
    shutil.copytree(options.source, root / "srv/ocp-convert", symlinks=True,
                    ignore=lambda folder, names: {"build", ".git"} & set(names)
                    if pathlib.Path(folder) == options.source else set())
    done = run("chroot", root, "sh", "-e", "-c", f"cd /srv/ocp-convert; {command}",
               env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    check("the README's command builds and converts on a clean root",
          done.returncode == 0 and ", 0 omitted" in done.stdout + done.stderr,
          (done.stdout + done.stderr)[-2000:])


def unpacks(folder, packages):
    root = folder / "unpacked"
    for path in packages:
        must("dpkg-deb", "-x", path, root)
    converts("the unpacked command", [root / "usr/bin/ocp-convert"])
    print("skipped: no clean root")


def unpacks_archive(folder, archives):
    root = folder / "archive"
    root.mkdir()
    must("tar", "-xf", archives[0], "-C", root)
    found = list(root.rglob("bin/ocp-convert"))
    check("the archive holds the command", len(found) == 1, str(found))
    if found:
        converts("the command of the archive", [found[0]])


def main():
    if shutil.which("dpkg-deb") is None:
        print("skipped: this is no Debian")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        packages, archives = build(options.build or folder / "build")
        check("there are three packages and an archive",
              len(packages) == 3 and len(archives) == 1, f"{packages} {archives}")
        ask_lintian(packages)
        root = folder / "root"
        if clean_root(root, folder):
            installs(root, packages)
            builds_from_readme(root)
        else:
            unpacks(folder, packages)
        unpacks_archive(folder, archives)
    return 1 if failures else 0


sys.exit(main())
