#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The work of session.jq in Python: session.py IN OUT; .yaml names are YAML."""
import json
import sys

PROTOCOL = "com.cisco.outshift/mas-lab"


def origin(m, w, own, agent, calls):
    if m["role"] == "assistant":
        o = {"type": "agent", "name": agent}
    elif m["role"] == "tool":
        o = {"type": "tool", "name": calls[m["tool_call_id"]]}
    else:
        o = {"type": "user" if own else "agent"}
    o["ref"] = "agent-%d" % w
    return o


def statements(d):
    out = []
    entry = d["working_memory"][0]["agent_id"]
    for w, wm in enumerate(d["working_memory"], 1):
        calls = {c["id"]: c["function"]["name"]
                 for m in wm["committed_messages"] for c in m.get("tool_calls", ())}
        own = wm["agent_id"] == entry
        for k, m in enumerate(wm["committed_messages"], 1):
            s = {"id": "msg-%d-c%d" % (w, k),
                 "kind": "observation" if m["role"] == "assistant"
                 else "instruction" if m["role"] == "user" and own else "external",
                 "text": m["content"], "origin": origin(m, w, own, wm["agent_id"], calls)}
            if m["role"] == "assistant":
                s["verification"] = {"state": "unverified"}
            out.append(s)
    return out + [{"id": "seed-%d" % k, "kind": "external", "text": v["content"],
                   "origin": {"type": "application", "name": "memory"}}
                  for k, v in enumerate(d["memory_seeds"], 1)]


def resources(d):
    return [{"id": "agent-%d" % k, "kind": "other",
             "locator": {"system": "mas-lab", "type": "working-memory", "key": v["agent_id"]}}
            for k, v in enumerate(d["working_memory"], 1)
            ] + [{"id": "related-%d" % k, "kind": "artifact",
                  "locator": {"system": v["plugin"], "type": v["adapter"], "key": v["locator"]},
                  "revision": v["fingerprint"], "availability": "unknown"}
                 for k, v in enumerate(d["related"], 1)]


def rest(d):
    kept = {k: d[k] for k in ("version", "turn", "backtrack_count", "spec_revision", "kernel",
                              "manifest", "runtime_profile")}
    kept["working_memory"] = [
        {**{k: wm[k] for k in ("conversation_chunks", "open_tool_call_id",
                               "synced_tool_result_cids", "working_messages")},
         "committed_messages": [{k: v for k, v in m.items() if k != "content"}
                                for m in wm["committed_messages"]]}
        for wm in d["working_memory"]]
    return kept


def convert(d):
    session = d["lineage"]["session_id"]
    return {
        "opencheckpoint": "0.1",
        "created_at": d["lineage"]["created_at"],
        "source": {"producer": {"name": "mas-lab"},
                   "agent": d["manifest"]["content"]["metadata"],
                   "session_refs": [{"protocol": PROTOCOL, "id": session}]},
        "task": {"title": d["label"], "status": "awaiting_input"},
        "progress": {"completed": [
            {"id": "turn-%d-%d" % (w, k), "description": t[0][:300]}
            for w, wm in enumerate(d["working_memory"], 1)
            for k, t in enumerate(wm["turn_history"], 1)]},
        "statements": statements(d),
        "resources": resources(d),
        "derivation": {"method": "converted",
                       "inputs": [{"session": {"protocol": PROTOCOL, "id": session}}]},
        "extensions": {"org.example/rest": rest(d)},
    }


def load(path):
    with open(path, encoding="utf-8") as f:
        if not path.endswith(".yaml"):
            return json.load(f)
        import yaml
        return yaml.load(f, Loader=yaml.CSafeLoader)


def save(document, path):
    with open(path, "w", encoding="utf-8") as f:
        if not path.endswith(".yaml"):
            json.dump(document, f, indent=2, ensure_ascii=False)
            return
        import yaml
        yaml.dump(document, f, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)


if __name__ == "__main__":
    save(convert(load(sys.argv[1])), sys.argv[2])
