"""sleuth avts, absurdle and equilibrium as a person meets them."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from command_line import Run, json_of

from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
from sleuth.planning.pomdps.files import write_pomdp
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.pomdpx import write_pomdpx
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.support.progress import Progress

SMALL = ("--game", "mastermind", "--pegs", "2", "--colours", "4")


def test_a_tree_search(run: Run) -> None:
    found = json_of(run("avts", *SMALL, "--json", "--seed", 3))
    keys = "opener total iterations states seconds target_reached sampler seed"
    assert set(keys.split()) <= set(found)
    assert (found["total"], found["proved"], found["seed"]) == (45, True, 3)
    code, out, _ = run("avts", *SMALL, "--sampler", "puct(coefficient=2)", "--predictor", "statistical")
    assert code == 0
    assert "45 guesses" in out
    assert "proved: no strategy takes fewer" in out


def test_limits_of_a_tree_search(run: Run) -> None:
    some = ("--game", "mastermind", "--pegs", 3, "--colours", 5)
    found = json_of(run("avts", *some, "--target", 470, "--json"))
    assert found["target_reached"]
    assert found["total"] <= 470
    found = json_of(run("avts", "--game", "mastermind", "--iterations", 2, "--threads", 2, "--json"))
    assert found["iterations"] in (2, 3)
    assert not found["proved"]
    assert json_of(run("avts", *SMALL, "--max-turns", 1, "--json"))["lower_bound"] is None


def test_the_search_of_the_document(run: Run) -> None:
    plain = (*SMALL, "--bounds", "none", "--no-deep")
    found = json_of(run("avts", *plain, "--target", 45, "--json"))
    assert (found["total"], found["proved"], found["lower_bound"]) == (45, False, 0)
    _, out, _ = run("avts", *plain, "--iterations", 30)
    assert "not proved: nothing is known of other strategies without bounds" in out
    code, _, err = run("avts", *SMALL, "--bounds", "all")
    assert (code, err) == (2, "sleuth: unknown kind of bounds 'all': there are exact, none\n")


def test_the_strategy_found_is_written(run: Run, tmp_path: Path) -> None:
    tree, picture = tmp_path / "tree.json", tmp_path / "found.png"
    code, out, err = run("avts", *SMALL, "--tree", tree, "--plot", picture)
    assert code == 0, err
    assert "tree written" in out
    assert picture.stat().st_size > 1000
    assert json_of(run("check-tree", tree, *SMALL, "--json"))["total"] == 45
    after = json_of(run("avts", *SMALL, "--after", "11:0,0", "--json"))
    assert after["scale"] == 9


def test_the_host(run: Run) -> None:
    found = json_of(run("absurdle", "--game", "mastermind", "--json"))
    assert found["guesses"] == len(found["line"]) == 5
    assert found["line"][-1]["feedback"] == "4,0"
    words = [move["guess"] for move in found["line"]]
    assert json_of(run("absurdle", *words, "--game", "mastermind", "--json"))["beaten"]
    code, out, _ = run("absurdle", *words[:3], "--game", "mastermind")
    assert code == 0
    assert "candidates left" in out


@pytest.mark.parametrize(
    "command", [("equilibrium", *SMALL, "--weights"), ("difficulty", "original", "--csv")]
)
def test_what_cannot_be_written_is_told_before_the_work(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    code, out, err = run(*command, tmp_path / "none" / "a.txt")
    assert (code, out) == (2, "")
    assert re.fullmatch(r"sleuth: \S+ cannot be written \(there is no folder \S+\)\n", err)


def test_an_equilibrium(run: Run, tmp_path: Path) -> None:
    weights = tmp_path / "host.txt"
    found = json_of(run("equilibrium", *SMALL, "--gap", "1e-4", "--weights", weights, "--json"))
    assert {"value", "lower", "upper", "iterations", "hardest"} <= set(found)
    assert found["upper"] - found["lower"] <= 1e-4
    assert found["lower"] <= found["value"] <= found["upper"]
    code, out, _ = run("equilibrium", *SMALL)
    assert code == 0
    assert "value between" in out


def test_the_hosts_distribution_is_a_prior(run: Run, tmp_path: Path) -> None:
    weights, answers = tmp_path / "host.txt", tmp_path / "answers.txt"
    answers.write_text("crane\ntrace\nreact\ncaret\nslate\nleast\nstale\nsteal\n", encoding="utf-8")
    args = ("--answers", answers, "--json")
    found = json_of(run("equilibrium", *args, "--gap", "1e-4", "--weights", weights))
    proof = json_of(run("prove", *args, "--prior", weights))
    assert proof["mean"] == pytest.approx(found["lower"], abs=1e-6)


CONTINUOUS = """
from statistics import NormalDist
from sleuth.planning import SampledControl

class Reading(SampledControl):
    parameters, initial_state, horizon = (-1.0, 1.0), 0.0, 3

    def controls(self, state):
        return ("low", "high", "read")

    def sample(self, state, parameter, control, rng):
        return rng.gauss(parameter, 1.0) if control == "read" else "over"

    def likelihood(self, state, parameter, control, after):
        if control != "read":
            return float(after == "over")
        return 0.0 if after == "over" else NormalDist(parameter, 1.0).pdf(after)

    def cost(self, state, parameter, control, after):
        return 0.1 if control == "read" else float((control == "high") != (parameter > 0))

    def is_terminal(self, state):
        return state == "over"
"""


def test_planning_where_outcomes_are_continuous(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "reading.py"
    file.write_text(CONTINUOUS, encoding="utf-8")
    found = json_of(run("plan", f"{file}:Reading", "--episodes", 4, "--json"))
    assert found["bound"] is None
    costs = {row["method"]: (row["mean"], row["gap"]) for row in found["methods"]}
    assert list(costs) == ["myopic", "bamcp(widening=0.4)", "random"]
    assert costs["bamcp(widening=0.4)"][0] < costs["random"][0]
    assert {gap for _, gap in costs.values()} == {None}
    code, out, _ = run("plan", f"{file}:Reading", "--episodes", 2, "--method", "myopic")
    assert code == 0
    assert "outcomes are continuous, so that no bound is known; 2 episodes each" in out
    code, out, err = run("plan", f"{file}:Reading", "--episodes", 2, "--method", "tree")
    assert (code, out) == (2, "")
    assert "Where they are continuous, plan by myopic, bamcp(widening=0.4)" in err


WRONG = """
import sys

class Unweighed(Reading):
    likelihood = None

class Arity(Reading):
    def likelihood(self, state, after):
        return 1.0

class Exits(Reading):
    def sample(self, *given):
        sys.exit(7)
"""


def test_planning_for_what_is_wrong(run: Run, tmp_path: Path) -> None:
    """In a line each, also where it is Sleuth that stumbles over what is returned."""
    file = tmp_path / "wrong.py"
    file.write_text(CONTINUOUS + WRONG, encoding="utf-8")
    for name, said in (
        ("Unweighed", "of 1000 draws 1000 came but once. Where they are continuous, give the problem likel"),
        ("Arity", "wrong.py gives cannot be used: TypeError: Arity.likelihood() takes 3"),
        ("Exits", "in sample: it ends Python (SystemExit: 7)"),
    ):
        code, out, err = run("plan", f"{file}:{name}", "--episodes", 2)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err
    code, out, _ = run("plan", f"{file}:Unweighed", "--episodes", 2, "--method", "random")
    assert code == 0
    assert "no bound is known; 2 episodes each" in out


@pytest.mark.thorough
def test_a_problem_that_fails_ends_no_other(run: Run, tmp_path: Path) -> None:
    given = ("--methods", "pomcp,random", "--episodes", 2, "--seconds", 0.001, "--json")
    file = tmp_path / "pomdps.py"
    file.write_text(POMDPS, encoding="utf-8")
    code, out, err = run("bench", "planning", "--problems", f"{file}:Good,{file}:Bad", *given)
    rows = json.loads(out)["results"]
    assert code == 2
    assert {(row["problem"].rpartition(":")[2], row["method"]) for row in rows} == {
        ("Good", "pomcp"),
        ("Good", "random"),
        ("Bad", "random"),
    }
    assert "pomcp on" in err
    assert "Bad.prefer() takes 1 positional argument" in err


POMDPS = """
from sleuth.planning import SampledPomdp

class Good(SampledPomdp):
    actions = ("left", "right")
    rewards = (0.0, 1.0)
    discount = 0.5

    def first(self, rng):
        return rng.choice(self.actions)

    def step(self, state, action, rng):
        return state, state, float(action == state)

class Bad(Good):
    def prefer(self):
        return "left"
"""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("avts", *SMALL, "--sampler", "thomson"), "did you mean thompson"),
        (("avts", *SMALL, "--predictor", "x"), "predictor"),
        (("avts", *SMALL, "--plot", "x.txt"), "picture"),
        (("avts", *SMALL, "--iterations", "0"), "iterations"),
        (("absurdle", "crane", "zzzzz"), "zzzzz"),
        (("absurdle", "--game", "mastermind", "--most", "3"), "within 3"),
        (("equilibrium", *SMALL, "--gap", "0"), "gap"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run: Run, args: tuple[str, ...], said: str) -> None:
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    [line] = [line for line in err.splitlines() if not line.startswith("compiling kernels")]
    assert said in line


def test_a_host_who_lies(run: Run, tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("crane\ntrace\nreact\ncaret\nslate\nleast\nstale\nsteal\n", encoding="utf-8")
    found = json_of(run("fibble", "--answers", answers, "--games", 2, "--json"))
    assert (found["games"], found["unfinished"]) == (16, 0)
    assert found == {
        **json_of(run("fibble", "--answers", answers, "--games", 2, "--json")),
        "seconds": found["seconds"],
    }
    for strategy in (
        "information-gain",
        "learned",
        "learned(width=4)",
        "rollout(base=information-gain,width=2,simulations=5)",
    ):
        code, out, _ = run("fibble", *SMALL, "--chance", "0.2", "--strategy", strategy)
        assert code == 0
        assert "16 games" in out
    larger = ("--game", "mastermind", "--pegs", "3", "--colours", "4")
    code, out, _ = run("fibble", *larger, "--chance", "0.05", "--rate", "0.9")  # sure of what is not so
    assert code == 0
    assert out.splitlines()[-1].endswith("games given up, and counted as 31 guesses: the mean is larger")
    for args, said in (
        ((*SMALL,), "marks"),
        (("--answers", answers, "--chance", "1.5"), "1.5"),
        (("--answers", answers, "--chance", "often"), "'often' is no rate of lies"),
        (("--answers", answers, "--chance", "beta(2,0)"), "b must be more than 0"),
        (("--answers", answers, "--rate", "0.2"), "--rate goes with --chance"),
        (("--answers", answers, "--chance", "unknown", "--rate", "1"), "less than 1, not 1.0"),
        (("--answers", answers, "--chance", "0.1", "--carry", "3"), "--carry goes with a chance"),
        (
            ("--answers", answers, "--strategy", "minimax"),
            "unknown strategy against lies 'minimax': there",
        ),
        (("--answers", answers, "--strategy", "learned(width=0)"), "width must be 1 or more, not 0"),
        *(
            (
                ("--answers", answers, "--strategy", f"rollout(base={base})"),
                f"unknown rollout option base '{base}': there are expected-guesses, information-gain",
            )
            for base in ("learned", "x")
        ),
    ):
        code, out, err = run("fibble", *args)
        assert (code, out) == (2, "")
        assert said in err


def test_a_host_who_lies_nobody_knows_how_often(run: Run) -> None:
    found = json_of(run("fibble", *SMALL, "--chance", "beta(2,8)", "--rate", "0.3", "--json"))
    assert (found["channel"], found["believed"]) == ("lies with 0.3", "lies with beta(2,8)")
    assert found["games"] == 16
    drawn = json_of(run("fibble", *SMALL, "--chance", "beta(2,8)", "--games", "2", "--json"))
    assert (drawn["channel"], drawn["games"]) == ("lies with beta(2,8)", 32)
    many = json_of(run("fibble", *SMALL, "--chance", "unknown", "--rate", "0.1", "--carry", "40", "--json"))
    assert (many["games"], len(many["turns"]), len(many["rates"])) == (40, 40, 40)
    first, last = many["rates"][0], many["rates"][-1]
    assert last["high"] - last["low"] < (first["high"] - first["low"]) / 2
    assert last["low"] <= 0.1 <= last["high"]
    code, out, _ = run("fibble", *SMALL, "--chance", "unknown", "--carry", "12")
    assert code == 0
    assert "(taken for: lies with uniform(0,1))" in out
    assert [line.split()[0] for line in out.splitlines()[5:] if line.strip()] == ["1", "2", "5", "10", "12"]


def test_planning(run: Run) -> None:
    listed = json_of(run("plan", "--json"))
    assert {"tiger", "rocksample", "wordle", "mastermind"} <= set(listed["problems"])
    found = json_of(run("plan", "tiger", "--method", "exact", "--method", "avts", "--episodes", 20, "--json"))
    exact, avts = found["methods"]
    assert found["bound"] == pytest.approx(-10)
    assert exact["method"] == "exact"
    assert exact["mean"] == avts["mean"]
    assert exact["gap"] == pytest.approx(exact["mean"] + 10)
    code, out, _ = run("plan", "bandit(horizon=3)", "--episodes", 5, "--method", "rollout(base=myopic)")
    assert code == 0
    assert "rollout(base=myopic)" in out
    code, out, _ = run("plan")
    assert code == 0
    assert "certainty-equivalence" in out
    assert "trials, scenarios, penalty=0.01, hindsight=False, planned=0.0, seed=0" in out
    assert listed["options"]["bounds"] == {"trials": None}


@pytest.mark.parametrize(
    "searches",
    [
        ("avts", "bamcp"),
        pytest.param(
            ("tree", "bounds", "pomcp", "despot", "hsvi(online=true,seconds=0.1)"), marks=pytest.mark.thorough
        ),
    ],
)
def test_planning_in_equal_time(run: Run, searches: tuple[str, ...]) -> None:
    given = [arg for text in (*searches, "myopic") for arg in ("--method", text)]
    found = json_of(run("plan", "tiger", *given, "--episodes", 2, "--seconds", 0.01, "--json"))
    assert found["seconds"] == 0.01
    assert [row["method"] for row in found["methods"]] == [*searches, "myopic"]


@pytest.mark.thorough
def test_more_time_is_more_planning(run: Run) -> None:
    of_pomdp = ("plan", "tag", "--method", "tree", "--json")
    few, more = (json_of(run(*of_pomdp, "--seconds", seconds))["simulations"] for seconds in (0.01, 0.5))
    assert few < more
    drawn = ("plan", "battleship", "--method", "pomcp", "--json")
    few, more = (json_of(run(*drawn, "--seconds", seconds))["simulations"] for seconds in (0.01, 0.5))
    assert few < more
    proven = ("plan", "tag", "--json")
    few, more = (json_of(run(*proven, "--seconds", seconds))["trials"] for seconds in (0.01, 0.5))
    assert few < more


def test_baselines_of_planning(run: Run) -> None:
    texts = ("posterior-sampling", "information-directed", "knowledge-gradient", "bamcp(simulations=50)")
    given = [arg for text in (*texts, "binary-search") for arg in ("--method", text)]
    found = json_of(run("plan", "hidden-objects", *given, "--episodes", 2, "--json"))
    assert [row["method"] for row in found["methods"]] == [*texts, "binary-search"]
    assert all(row["mean"] >= 1 for row in found["methods"])
    code, out, err = run("plan", "bandit", "--method", "binary-search", "--episodes", 5)
    assert (code, out) == (2, "")
    assert "binary-search is for problems of identification: 0 in state" in err


DRAWN = """
from sleuth.planning import SampledControl

class Coin(SampledControl):
    parameters, initial_state, horizon = (0, 1), "begin", 2

    def controls(self, state):
        return ("look", 0, 1)

    def sample(self, state, parameter, control, rng):
        return rng.choice((parameter, 0, 1)) if control == "look" else "over"

    def cost(self, state, parameter, control, after):
        return 1.0 if control == "look" else 10.0 * (control != parameter)

    def is_terminal(self, state):
        return state == "over"
"""


def test_planning_for_what_can_only_be_drawn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text(DRAWN, encoding="utf-8")
    given = ("plan", f"{file}:Coin", "--method", "exact", "--episodes", 30)
    assert json_of(run(*given, "--json"))["bound_estimated"]
    code, out, _ = run(*given)
    assert code == 0
    assert "on average, as estimated from draws" in out
    assert not json_of(run("plan", "tiger", "--method", "myopic", "--episodes", 2, "--json"))[
        "bound_estimated"
    ]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("tigger",), "did you mean tiger"),
        (("tiger(accuracy=3)",), "accuracy"),
        (("tiger", "--method", "exact(tolerance=0)"), "tolerance"),
        (("tiger", "--method", "rolout"), "did you mean rollout"),
        (("tiger", "--method", "bamcp(widening=2)"), "widening must be"),
        (("tiger", "--episodes", "0"), "episodes"),
        (("tiger", "--seconds", "-1"), "seconds must be 0 or more, not -1"),
        (("hidden-objects", "--method", "exact"), "horizon"),
    ],
)
def test_plans_that_cannot_be_made(run: Run, args: tuple[str, ...], said: str) -> None:
    code, out, err = run("plan", *args)
    assert (code, out) == (2, "")
    assert said in err


def test_planning_for_a_pomdp_file(run: Run, tmp_path: Path) -> None:
    file, policy = tmp_path / "tiger.pomdp", tmp_path / "policy.json"
    write_pomdp(tiger_pomdp(), file)
    found = json_of(run("plan", file, "--policy", policy, "--json"))
    assert found["lower"] <= 19.3714 <= found["upper"]
    assert (found["action"], found["interrupted"]) == ("listen", False)
    assert found["gap"] <= 1e-3
    assert AlphaVectors.read(policy).actions == ("listen", "open-left", "open-right")
    code, out, _ = run("plan", file, "--method", "hsvi(gap=0.5)")
    assert code == 0
    assert "the optimal value lies between 19." in out
    assert "first action: listen" in out
    played = json_of(
        run("plan", "tiger", "--method", "hsvi", "--method", "exact", "--episodes", 20, "--json")
    )
    hsvi, exact = played["methods"]
    assert hsvi["mean"] == exact["mean"]
    code, out, err = run("plan", file, "--policy", tmp_path / "." / "tiger.pomdp")
    assert (code, out) == (2, "")
    assert "PROBLEM and --policy are the same file, tiger.pomdp" in err
    assert "states" in file.read_text()
    for method in ("hsvi", "tree(simulations=100)"):
        code, out, _ = run("plan", file, "--method", method, "--format", "csv")
        assert code == 0
        head, row = out.splitlines()
        assert dict(zip(head.split(","), row.split(","), strict=True))["action"] in ("listen", "0")
    file.write_text("discount: 0.95\nstates: 2\nT: 0 identity\n", encoding="utf-8")
    for args, said in (
        ((file,), "tiger.pomdp: line 3: the actions must be stated"),
        (
            (file, "--method", "avts"),
            "one method, hsvi, tree, pomcp, despot, oracle-lookahead, random or FILE.py:NAME, not by avts",
        ),
        ((file, "--method", "pomcp", "--policy", policy), "--policy goes with the method hsvi"),
        (("bandit", "--method", "pomcp"), "a POMDP goes on for ever: a problem with a horizon is none"),
        (("hidden-objects", "--method", "despot"), "a POMDP needs a discount below 1"),
        (
            ("tiger", "--policy", policy),
            "--policy goes with a POMDP that is laid out, such as a .pomdp file, not with tiger",
        ),
        ((file, "--episodes", "100"), "--episodes and --seed do not go with a file, which is not played"),
        ((file, "--seed", "0"), "a search has a seed of its own, as in tree(seed=1)"),
        (("nothing.pomdp",), "nothing.pomdp cannot be read"),
    ):
        code, out, err = run("plan", *args)
        assert (code, out) == (2, "")
        assert said in err


@pytest.mark.parametrize(
    ("problem", "method", "where"),
    [
        ("rocksample-4-4", "tree", "belief_tree"),
        *(
            pytest.param(*given, marks=pytest.mark.thorough)
            for given in (
                ("tag", "pomcp", "pomdps.pomcp"),
                ("rocksample-11-11", "pomcp(simulations=1000000)", "pomdps.pomcp"),
                ("tag", "despot", "pomdps.despot"),
                ("rocksample-4-4", "hsvi(online=true)", "pomdps.hsvi"),
            )
        ),
    ],
)
def test_a_search_that_ends_since_its_memory_is_full_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch, problem: str, method: str, where: str
) -> None:
    monkeypatch.setattr(f"sleuth.planning.{where}._MEMORY", 2**23 if method == "despot" else 2**15)
    args = "plan", problem, "--method", method, "--seconds", 600
    assert "; it ended there, since its memory is full" in run(*args)[1]
    assert json_of(run(*args, "--json"))["full"]


@pytest.mark.thorough
def test_planning_for_pomdps_of_the_benchmark(run: Run, tmp_path: Path) -> None:
    found = json_of(run("plan", "hallway", "--method", "despot(trials=20,scenarios=50)", "--json"))
    assert found["action"] in ("forward", "left", "right", "around", "stay")
    code, out, _ = run("plan", "hallway", "--method", "hsvi(seconds=0.1)", "--episode", tmp_path / "one.html")
    assert code == 0
    assert "57 states, 5 actions, 20 observations" in out
    for method in ("oracle-lookahead", "random"):
        found = json_of(run("plan", "hallway", "--method", method, "--json"))
        assert found["action"] in ("forward", "left", "right", "around", "stay")
    assert "hallway" in (tmp_path / "one.html").read_text(encoding="utf-8")
    found = json_of(run("plan", "rocksample-11-11", "--method", "pomcp(simulations=100)", "--json"))
    assert (found["problem"], found["simulations"]) == ("rocksample-11-11", 100)
    code, out, _ = run("plan", "battleship", "--method", "despot(trials=1,scenarios=20)")
    assert code == 0
    assert out.startswith("100 actions, 2 observations; states are drawn\nfirst action: ")
    (tmp_path / "my.py").write_text("from sleuth.planning import tiger_pomdp\n", encoding="utf-8")
    found = json_of(run("plan", f"{tmp_path / 'my.py'}:tiger_pomdp", "--json"))
    assert found["lower"] <= 19.3714 <= found["upper"]
    assert (
        json_of(run("plan", "--json"))["pomdps"]["battleship"] == "by draws, which pomcp and despot plan for"
    )


def test_planning_that_a_problem_is_not_for(run: Run, tmp_path: Path) -> None:
    for args, said in (
        (("hallwya",), "unknown problem 'hallwya': did you mean hallway?"),
        (("tigr",), "unknown problem 'tigr': did you mean tiger?"),
        (
            ("hallway", "--method", "myopic"),
            "hallway is planned for by one method, hsvi, tree, pomcp, despot, oracle-lookahead, random or",
        ),
        (
            ("battleship", "--method", "hsvi"),
            "battleship is planned for by one method, pomcp or despot, since",
        ),
        (("battleship", "--policy", tmp_path / "a"), "--policy does not go with battleship"),
        (("hallway", "--episodes", 3), "--episodes and --seed do not go with hallway; sleuth bench planning"),
    ):
        code, out, err = run("plan", *args)
        assert (code, out) == (2, "")
        assert said in err


def test_planning_for_a_pomdpx_file(run: Run, tmp_path: Path) -> None:
    file, policy = tmp_path / "tiger.pomdpx", tmp_path / "policy.json"
    write_pomdpx(tiger_pomdp(), file)
    found = json_of(run("plan", file, "--policy", policy, "--json"))
    assert found["lower"] <= 19.3714 <= found["upper"]
    assert AlphaVectors.read(policy).actions == ("listen", "open-left", "open-right")
    found = json_of(run("plan", file, "--method", "despot(trials=30,scenarios=50)", "--json"))
    assert found["action"] == "listen"
    file.write_text("<pomdpx>\n<Discount>2</Discount></pomdpx>", encoding="utf-8")
    code, out, err = run("plan", file)
    assert (code, out) == (2, "")
    assert err.strip().endswith("tiger.pomdpx: line 2: a discount lies in [0, 1), not 2.0")


def test_a_saved_policy_is_checked_and_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, policy = tmp_path / "tiger.pomdpx", tmp_path / "policy.json"
    write_pomdpx(tiger_pomdp(), file)
    assert run("plan", file, "--policy", policy, "--json")[0] == 0
    found = json_of(run("check-policy", file, policy, "--episodes", 100, "--json"))
    assert found["valid"]
    assert 19.36 < found["value"] < 19.3714
    assert abs(found["mean"] - 19.37) < 4 * found["standard_error"]
    code, out, _ = run("check-policy", file, policy, "--episodes", 50)
    assert code == 0
    assert "it is worth 19.3" in out
    assert re.search(r"^50 episodes bring [\d.-]+ ± [\d.]+ \(95 %\)$", out, re.MULTILINE)
    named = json_of(run("check-policy", "tiger", policy, "--episodes", 100, "--json"))
    assert named["mean"] == found["mean"]

    def interrupt(progress: Progress) -> None:
        if progress.done == 30:
            raise KeyboardInterrupt

    monkeypatch.setattr("sleuth.cli.show.steps", lambda *_, **__: nullcontext(interrupt))
    code, out, _ = run("check-policy", file, policy)
    assert code == 130
    assert re.search(r"^.* is worth 19.3.* proven\n30 episodes bring .*\nnot finished: interrupted\n$", out)
    code, out, _ = run("check-policy", file, policy, "--json")
    known = json.loads(out)
    assert (code, known["episodes"], known["value"], known["interrupted"]) == (130, 30, found["value"], True)
    text = json.loads(policy.read_text())
    text["vectors"][0]["values"][0] += 5.0
    false = tmp_path / "false.json"
    false.write_text(json.dumps(text))
    for args, said in (
        ((file, false), "vector 0 says"),
        ((file, tmp_path / "no.json"), "no.json cannot be read"),
        ((tmp_path / "no.pomdp", policy), "no.pomdp cannot be read"),
        ((policy, file), "policy.json"),
        ((file, policy, "--episodes", 1), "--episodes"),
    ):
        code, out, err = run("check-policy", *args)
        assert (code, out) == (2, "")
        assert said in err


def test_searching_on_line_in_a_pomdp_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tiger.pomdp"
    write_pomdp(tiger_pomdp(), file)
    found = json_of(run("plan", file, "--method", "tree(simulations=300)", "--json"))
    assert found["achieved"] - 1e-6 <= 19.371368 <= found["bound"] + 1e-6
    assert (found["action"], found["simulations"], found["interrupted"]) == ("listen", 300, False)
    code, out, _ = run("plan", file, "--method", "tree(sampler=uct)")
    assert code == 0
    assert "first action: listen" in out
    assert "the optimal value lies between" in out
    found = json_of(run("plan", file, "--method", "pomcp(simulations=1000)", "--json"))
    assert (found["action"], found["simulations"]) == ("listen", 1000)
    code, out, _ = run("plan", file, "--method", "pomcp(simulations=1000,seed=1)")
    assert code == 0
    assert "1000 simulations" in out
    small = "despot(trials=30,scenarios=50"
    found = json_of(run("plan", file, "--method", f"{small})", "--json"))
    assert found["action"] == "listen"
    assert found["lower"] <= found["upper"]
    for options, said in ((")", ", as estimated"), (",hindsight=true)", "")):
        code, out, _ = run("plan", file, "--method", small + options)
        assert code == 0
        worth = r"for 50 scenarios, less its size, is worth\s+between [\d.-]+ and [\d.-]+"
        assert re.search(rf"{worth}{said}$", out, re.MULTILINE)
    monkeypatch.setattr("sleuth.views.watching.LINE_EVERY", 0.0)
    for method, said in (("tree", "simulations: "), ("pomcp", "simulations: "), ("despot", "trials: ")):
        assert said in run("plan", file, "--method", method)[2]
    code, out, err = run("plan", file, "--method", "tree(sampler=epsilon-greedy)")
    assert (code, out) == (2, "")
    assert "unknown sampler of tree 'epsilon-greedy': there are gumbel, hoeffding, laplace, puct" in err
    code, out, err = run("plan", file, "--method", "despot(scenarios=0)")
    assert (code, out) == (2, "")
    assert "scenarios must be 1 or more, not 0" in err


def test_bounds_known_when_planning_is_interrupted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tiger.pomdp"
    write_pomdp(tiger_pomdp(), file)
    attempt = HSVI._try
    done: list[float] = []

    def interrupted(search: HSVI, wanted: float) -> None:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(wanted)
        attempt(search, wanted)

    monkeypatch.setattr(HSVI, "_try", interrupted)
    code, out, _ = run("plan", file, "--json")
    assert code == 130
    found = json.loads(out)
    assert (found["interrupted"], found["trials"]) == (True, 2)
    assert found["lower"] <= 19.3714 <= found["upper"]


def test_an_episode_of_a_plan_is_a_page(run: Run, tmp_path: Path) -> None:
    page, file = tmp_path / "episode.html", tmp_path / "tiger.pomdp"
    one = ("plan", "tiger", "--method", "exact", "--episodes", 1, "--seed", 3)
    cost = json_of(run(*one, "--json"))["methods"][0]["mean"]
    code, out, _ = run(*one, "--episode", page)
    assert code == 0
    assert f"episode written to {page}" in out
    text = page.read_text(encoding="utf-8")
    assert "<h1>exact plays tiger</h1>" in text
    assert f"<dt>Discounted cost</dt><dd>{round(cost, 4):.10g}</dd>" in text
    write_pomdp(tiger_pomdp(), file)
    pages: list[str] = []
    for method in ("hsvi", "tree(simulations=50)", "hsvi"):
        given = ("plan", file, "--method", method, "--episode", page, "--seed", len(pages))
        assert json_of(run(*given, "--json"))["action"] == "listen"
        pages.append(page.read_text(encoding="utf-8"))
        assert f"<h1>{method} plays " in pages[-1]
    assert pages[0] != pages[2]
    page.unlink()
    for args, said in (
        (("--method", "exact", "--episode", page), "--episode shows an episode of a problem; name one"),
        (("tiger", "--episode", page), "--episode shows what one method does; give one --method"),
        ((file, "--method", "hsvi", "--method", "tree", "--episode", page), "give one --method"),
        (("tiger", "--method", "exact", "--episode", "e.txt"), "it takes one that ends with .html"),
        (("tiger", "--method", "exact", "--episode", tmp_path / "no" / "e.html"), "cannot be written"),
        ((file, "--episode", tmp_path / "no" / "e.html"), "cannot be written"),
    ):
        code, out, err = run("plan", *args)
        assert (code, out) == (2, "")
        assert said in err
    assert not page.exists()
