#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The work of specrail.jq in Python.

    specrail.py IN OUT
    specrail.py --dir IN_DIR OUT_DIR     every file, in one process
"""
import json
import os
import sys

STATUS = {"planning": "active", "running": "active", "blocked": "blocked", "handoff": "paused",
          "complete": "completed"}
FINISHED = ("merged", "closed", "complete")
REST = ("context_budget", "output_firewall", "queue_mode", "spec_coverage", "goal")
REST_OF_ITEM = ("spec_status", "spec_status_reason", "ci", "review", "review_threads", "pr_gate",
                "truth_level", "merge_state", "branch", "worktree")


def statement(name, kind, text, origin, revalidate=None):
    s = {"id": name, "kind": kind, "text": text, "origin": origin}
    if revalidate:
        s["verification"] = {"state": "unverified", "revalidate": revalidate}
    return s


def statements(d, items, candidate):
    agent = {"type": "agent", "name": "specrail"}
    out = [statement("constraint-%d" % k, "constraint", v, agent)
           for k, v in enumerate(candidate.get("constraints", []), 1)]
    out += [statement("blocker-%d" % k, "observation", v["blocker"], agent, "before_action")
            for k, v in items if v.get("blocker")]
    out += [statement("local-%d-%d" % (k, n), "observation", t, {"type": "tool"}, "before_use")
            for k, v in items for n, t in enumerate(v.get("local_verification") or [], 1)]
    return out


def progress(d, items):
    return {
        "completed": [{"id": "item-%d" % k,
                       "description": "%s: %s" % (v["state"], v["next_action"])}
                      for k, v in items if v["state"] in FINISHED],
        "next": [{"id": "item-%d" % k, "description": v["next_action"]}
                 for k, v in items if v["state"] not in FINISHED]
        + [{"id": "queue-%d" % k, "description": v["next_action"]}
           for k, v in enumerate(d.get("remaining_queue") or [], 1)]}


def convert(d):
    items = list(enumerate(d["items"], 1))
    candidate = d.get("goal_candidate") or {}
    tranche = d["tranche_id"]
    return {
        "opencheckpoint": "0.1",
        "created_at": d["spec_coverage"]["checked_at"],
        "source": {"producer": {"name": "specrail"},
                   "session_refs": [{"protocol": "local.specrail", "id": tranche}]},
        "task": {"title": tranche, "objective": d["scope"],
                 "status": STATUS.get(d["status"], "paused"),
                 "success_criteria": [
                     {"id": "done-%d" % k, "description": v, "state": "unknown"}
                     for k, v in enumerate(candidate.get("done_when", []), 1)],
                 "scope": {"includes": [d["scope"]]}},
        "progress": progress(d, items),
        "statements": statements(d, items, candidate),
        "resources": [{"id": "repo", "kind": "repository",
                       "locator": {"system": "github", "type": "repository", "key": d["repo"]}}]
        + [{"id": "pr-%d-%s" % (v["pr"], v["head_sha"]), "kind": "record",
            "locator": {"system": "github", "type": "pull_request",
                        "key": "%s#%d" % (d["repo"], v["pr"])},
            "revision": v["head_sha"]} for k, v in items if v.get("pr")],
        "continuation": {
            "stop_conditions": [{"id": "stop-blocked",
                                 "description": candidate["blocked_stop_condition"]}],
            "recovery": [{"id": "resume", "description": d["resume_prompt"]}]},
        "derivation": {"method": "converted",
                       "inputs": [{"session": {"protocol": "local.specrail", "id": tranche}}]},
        "extensions": {"org.example/rest": dict(
            {k: d.get(k) for k in REST},
            items=[{k: v.get(k) for k in REST_OF_ITEM} for _, v in items])},
    }


def one(source, target):
    with open(source, encoding="utf-8") as f:
        d = json.load(f)
    with open(target, "w", encoding="utf-8") as f:
        json.dump(convert(d), f, indent=2, ensure_ascii=False)
        f.write("\n")


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--dir":
        for name in sorted(os.listdir(arguments[1])):
            one(os.path.join(arguments[1], name), os.path.join(arguments[2], name))
    else:
        one(arguments[0], arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
