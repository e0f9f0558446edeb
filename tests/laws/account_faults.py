# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults in reports and results: what the check of the account must notice."""
import json

from account_step import Number, Step, at, dump, engine_parts, is_carry, leaves, load, same

def first_leaf(account, fate, member):
    for leaf in account["leaves"]:
        if leaf["fate"] == fate and member in leaf:
            return leaf
    return None


def lose_leaf(account, _source, _result):
    del account["leaves"][len(account["leaves"]) // 2]


def tell_wrong_fate(account, _source, _result):
    leaf = first_leaf(account, "mapped", "pointer")
    leaf["fate"] = "carried"


def tell_wrong_total(account, _source, _result):
    account["totals"]["mapped"] += 1


def tell_wrong_place(account, _source, result):
    leaf = first_leaf(account, "mapped", "place")
    leaf["place"] = leaf["place"] + "/nowhere"


def tell_other_place(account, _source, result):
    leaf = first_leaf(account, "mapped", "place")
    leaf["place"] = "/opencheckpoint"


def tell_wrong_carry(account, _source, _result):
    for fate in ("carried", "kept"):
        leaf = first_leaf(account, fate, "carry")
        if leaf is not None:
            leaf["carry"] = leaf["carry"].rsplit("/", 1)[0]
            return True
    return False


def lose_carried_value(account, _source, result):
    for value in (result.get("extensions") or {}).values():
        if is_carry(value) and value["patch"]:
            value["patch"] = []
            return first_leaf(account, "carried", "carry") is not None
    return False


def call_carried_mapped(account, _source, _result):
    leaf = first_leaf(account, "carried", "carry")
    if leaf is None:
        return False
    leaf["fate"] = "mapped"
    del leaf["carry"]
    account["totals"]["mapped"] += 1
    account["totals"]["carried"] -= 1
    return True


def omit_without_reason(account, _source, _result):
    leaf = first_leaf(account, "omitted", "reason")
    if leaf is None:
        return False
    del leaf["reason"]
    return True


def change_result(account, source, result):
    stated = {change["place"] for change in account["changes"]}
    same_there = [leaf for leaf in account["leaves"]
                  if leaf["fate"] == "mapped" and leaf.get("place", "") not in ("", *stated)
                  and same(at(source, leaf["pointer"]), at(result, leaf["place"]))]
    if not same_there:
        return False
    leaf = same_there[0]
    holder = at(result, leaf["place"].rsplit("/", 1)[0])
    step = leaf["place"].rsplit("/", 1)[1]
    holder[int(step) if isinstance(holder, list) else step] = "something else"
    return True


def respell_number(_account, source, _result):
    for pointer, value in leaves(source):
        if isinstance(value, Number):
            holder = at(source, pointer.rsplit("/", 1)[0])
            step = pointer.rsplit("/", 1)[1].replace("~1", "/").replace("~0", "~")
            holder[int(step) if isinstance(holder, list) else step] = Number(value + "0")
            return True
    return False


def add_to_result(_account, _source, result):
    result["task"]["outcome"] = "nobody said so"


def forget_made(account, _source, _result):
    if not account["made"]:
        return False
    account["made"].pop()
    account["totals"]["made"] -= 1
    return True


def forget_change(account, _source, _result):
    for index, change in enumerate(account["changes"]):
        if change["from"]:
            del account["changes"][index]
            return True
    return False


FAULTS = [lose_leaf, tell_wrong_fate, tell_wrong_total, tell_wrong_place, tell_other_place,
          tell_wrong_carry, lose_carried_value, call_carried_mapped, omit_without_reason,
          change_result, respell_number, add_to_result, forget_made, forget_change]


def call_lost_mapped(account, _source, _result):
    """Without a carry: what the result alone does not give back."""
    lost = [leaf for leaf in account["leaves"] if leaf.get("reason") == "irrelevant"]
    for leaf in lost:
        leaf["fate"] = "mapped"
        del leaf["reason"]
        account["totals"]["mapped"] += 1
        account["totals"]["omitted"] -= 1
    return bool(lost)


BARE_FAULTS = [call_lost_mapped]


def try_fault(fault, samples, bare):
    """Whether it is noticed wherever it can be made."""
    tried = noticed = 0
    for account, source, result, back in samples:
        account = json.loads(json.dumps(account))
        source, result = load(dump(source)), load(dump(result))
        if fault(account, source, result) is False:
            continue
        tried += 1
        step = Step(account, source, result, back, [] if bare else None, bare=bare)
        noticed += bool(step.check(engine_parts(result, None)))
    # one value may stand in two places, so that a fault in one is no fault
    ok = tried > 0 and noticed * 10 >= tried * 8
    if not ok:
        print(f"  FAILED: fault {fault.__name__}: noticed in {noticed} of {tried}")
    return ok


def check_faults(samples, bare_samples):
    """Samples are sound as they are."""
    caught = sum(try_fault(fault, samples, False) for fault in FAULTS) + \
        sum(try_fault(fault, bare_samples, True) for fault in BARE_FAULTS)
    faults = len(FAULTS) + len(BARE_FAULTS)
    print(f"suite laws-account-faults: {caught} / {faults}")
    return caught == faults
