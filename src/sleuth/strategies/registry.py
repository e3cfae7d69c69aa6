"""The strategies that ship with Sleuth, by name. Other packages add theirs with STRATEGIES.register."""

from typing import Any

from sleuth.registry import Registry

STRATEGIES: Registry[type[Any]] = Registry("strategy")
for _name, _target, _summary in (
    ("information-gain", "heuristics:InformationGain", "most information in bits (MIG)"),
    ("most-rapid-decrease", "heuristics:MostRapidDecrease", "fewest candidates left on average (MRD)"),
    (
        "greatest-expected-probability",
        "heuristics:GreatestExpectedProbability",
        "best chance to be right one guess later (GEP)",
    ),
    ("alpha", "heuristics:Alpha", "Short's family: alpha=1 is MRD, alpha=-1 GEP, 0 MIG, with his tie-breaks"),
    ("alpha-fds", "discernible:AlphaFds", "alpha, with sets that one guess tells apart counted as small"),
    ("worst-case", "heuristics:WorstCase", "smallest largest class (Knuth)"),
    ("expected-guesses", "heuristics:ExpectedGuesses", "fewest guesses by the entropic estimate"),
    ("most-hints", "heuristics:MostHints", "most greens and yellows, for people"),
    ("random", "heuristics:Random", "a candidate at random"),
    ("rollout", "rollout:Rollout", "the best guess when a base strategy plays on after it"),
    ("beam", "beam:Beam", "near-optimal play in a tenth of a second, never worse than a quick heuristic"),
    ("learned", "learned:Learned", "a network over candidate sets, and nothing else"),
    ("learned+search", "learned:LearnedSearch", "learned, with one-step lookahead by its value network"),
    ("document-003", "learned:Document003", "document 003's network: what rows told of the letters"),
    ("avts", "avts:Avts", "Action Value Tree Search, so many iterations a guess"),
    ("exact", "exact:Exact", "optimal play, proven, where the time suffices"),
    ("minimax", "lookahead:Minimax", "guesser against indicator: the best guess at the worst feedback"),
    ("alpha-beta", "lookahead:AlphaBeta", "minimax with fewer nodes"),
    ("expectimax", "lookahead:Expectimax", "guesser against indicator: the best guess on average"),
    ("decision-tree", "lookahead:DecisionTreeAgent", "the candidate evaluated highest (document 004)"),
    ("schedule", "schedule:Schedule", "a strategy for each turn"),
):
    STRATEGIES.register(_name, f"sleuth.strategies.{_target}", _summary)
