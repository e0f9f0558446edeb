# SPDX-License-Identifier: Apache-2.0
"""Does a peer's document say the same as ours, in the members that it makes?"""
import json


def _same(peer, ours, at, found):
    if isinstance(peer, dict) and isinstance(ours, dict):
        for key, value in peer.items():
            if key not in ours and value == []:
                continue
            if key not in ours:
                found.append("%s/%s is not in ours" % (at, key))
            else:
                _same(value, ours[key], "%s/%s" % (at, key), found)
    elif isinstance(peer, list) and isinstance(ours, list):
        # Elements with an id are found by it; we may have more of them.
        by_id = {e.get("id"): e for e in ours if isinstance(e, dict)}
        for i, element in enumerate(peer):
            name = element.get("id") if isinstance(element, dict) else None
            match = by_id.get(name) if name else ours[i] if i < len(ours) else None
            if match is None:
                found.append("%s/%d is not in ours" % (at, i))
            else:
                _same(element, match, "%s/%d" % (at, i), found)
    elif peer != ours or isinstance(peer, bool) != isinstance(ours, bool):
        found.append("%s: %.60r is %.60r in ours" % (at, peer, ours))


def load(path):
    with open(path, encoding="utf-8") as f:
        if not path.endswith(".yaml"):
            return json.load(f)
        import yaml
        return yaml.load(f, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def differences(peer_path, our_path):
    """Where the peer's document differs; a peer's own extension is its own."""
    peer, ours = load(peer_path), load(our_path)
    peer.pop("extensions", None)
    found = []
    _same(peer, ours, "", found)
    if len(peer) < 5:
        found.append("the peer made nearly nothing")
    return found
