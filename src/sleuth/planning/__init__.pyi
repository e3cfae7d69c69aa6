from .bamcp import (
    Bamcp as Bamcp,
)
from .belief import (
    Belief as Belief,
)
from .belief import (
    update as update,
)
from .belief_search import (
    BeliefSearch as BeliefSearch,
)
from .belief_search import (
    BoundedSearch as BoundedSearch,
)
from .belief_search import (
    Bracketed as Bracketed,
)
from .belief_tree import (
    BeliefTree as BeliefTree,
)
from .belief_tree import (
    Searched as Searched,
)
from .binary_search import (
    BinarySearch as BinarySearch,
)
from .control import (
    AdaptiveControl as AdaptiveControl,
)
from .control import (
    ListedControl as ListedControl,
)
from .control import (
    SampledControl as SampledControl,
)
from .control import (
    Transition as Transition,
)
from .control import (
    Weighed as Weighed,
)
from .control import (
    check_problem as check_problem,
)
from .dynamic_programming import (
    DynamicProgram as DynamicProgram,
)
from .empirical import (
    EmpiricalControl as EmpiricalControl,
)
from .episodes import (
    Score as Score,
)
from .episodes import (
    compare as compare,
)
from .histories import (
    Widening as Widening,
)
from .information_directed import (
    InformationDirectedSampling as InformationDirectedSampling,
)
from .knowledge_gradient import (
    KnowledgeGradient as KnowledgeGradient,
)
from .lookahead import (
    CertaintyEquivalence as CertaintyEquivalence,
)
from .lookahead import (
    Lookahead as Lookahead,
)
from .lookahead import (
    Myopic as Myopic,
)
from .mdp import (
    MDP as MDP,
)
from .mdp import (
    EnumerableMDP as EnumerableMDP,
)
from .mdp import (
    Option as Option,
)
from .mdp import (
    Outcome as Outcome,
)
from .mdp import (
    RewardBoundedMDP as RewardBoundedMDP,
)
from .mdp import (
    SampledMDP as SampledMDP,
)
from .methods import (
    METHODS as METHODS,
)
from .methods import (
    method as method,
)
from .modelled_control import (
    ModelledControl as ModelledControl,
)
from .modelled_control import (
    TreePolicy as TreePolicy,
)
from .oracle import (
    Oracle as Oracle,
)
from .particles import (
    ParticleBelief as ParticleBelief,
)
from .particles import (
    metropolis as metropolis,
)
from .policy import (
    Blind as Blind,
)
from .policy import (
    Policy as Policy,
)
from .pomdps.alpha_vectors import (
    AlphaVector as AlphaVector,
)
from .pomdps.alpha_vectors import (
    AlphaVectors as AlphaVectors,
)
from .pomdps.checking import (
    Checked as Checked,
)
from .pomdps.checking import (
    check_policy as check_policy,
)
from .pomdps.checking import (
    simulate_policy as simulate_policy,
)
from .pomdps.despot import (
    Despot as Despot,
)
from .pomdps.despot import (
    Determined as Determined,
)
from .pomdps.despot import (
    ScenarioModel as ScenarioModel,
)
from .pomdps.despot import (
    ScenarioTree as ScenarioTree,
)
from .pomdps.drawn.belief import (
    DrawnBelief as DrawnBelief,
)
from .pomdps.drawn.despot import (
    DrawnDespot as DrawnDespot,
)
from .pomdps.drawn.despot import (
    DrawnScenarios as DrawnScenarios,
)
from .pomdps.drawn.pomcp import (
    DrawnPomcp as DrawnPomcp,
)
from .pomdps.drawn.problem import (
    DrawnPomdp as DrawnPomdp,
)
from .pomdps.drawn.problem import (
    play_drawn as play_drawn,
)
from .pomdps.drawn.problems import (
    battleship as battleship,
)
from .pomdps.drawn.problems import (
    drawn_rocksample as drawn_rocksample,
)
from .pomdps.files import (
    read_pomdp as read_pomdp,
)
from .pomdps.files import (
    write_pomdp as write_pomdp,
)
from .pomdps.hsvi import (
    HSVI as HSVI,
)
from .pomdps.hsvi import (
    PomdpBounds as PomdpBounds,
)
from .pomdps.hsvi import (
    blind_bound as blind_bound,
)
from .pomdps.hsvi import (
    fast_informed_bound as fast_informed_bound,
)
from .pomdps.hsvi import (
    qmdp_bound as qmdp_bound,
)
from .pomdps.hsvi_planner import (
    HsviPlanner as HsviPlanner,
)
from .pomdps.modelled import (
    ModelledPomdp as ModelledPomdp,
)
from .pomdps.online import (
    Planner as Planner,
)
from .pomdps.online import (
    Planners as Planners,
)
from .pomdps.online import (
    TreePlanner as TreePlanner,
)
from .pomdps.online import (
    play as play,
)
from .pomdps.pomcp import (
    Planned as Planned,
)
from .pomdps.pomcp import (
    Pomcp as Pomcp,
)
from .pomdps.pomcp import (
    Preference as Preference,
)
from .pomdps.pomdp import (
    POMDP as POMDP,
)
from .pomdps.pomdpx import (
    read_pomdpx as read_pomdpx,
)
from .pomdps.pomdpx import (
    write_pomdpx as write_pomdpx,
)
from .pomdps.problems import (
    frozen_lake_pomdp as frozen_lake_pomdp,
)
from .pomdps.problems import (
    hallway_pomdp as hallway_pomdp,
)
from .pomdps.problems import (
    rocksample_pomdp as rocksample_pomdp,
)
from .pomdps.problems import (
    tag_pomdp as tag_pomdp,
)
from .pomdps.problems import (
    tiger_pomdp as tiger_pomdp,
)
from .pomdps.rock_preference import (
    rock_preference as rock_preference,
)
from .pomdps.sampled.belief import (
    SampledBelief as SampledBelief,
)
from .pomdps.sampled.despot import (
    SampledDespot as SampledDespot,
)
from .pomdps.sampled.pomcp import (
    SampledPomcp as SampledPomcp,
)
from .pomdps.sampled.problem import (
    SampledPomdp as SampledPomdp,
)
from .pomdps.sampled.problem import (
    play_sampled as play_sampled,
)
from .pomdps.small_problems import (
    bandit_pomdp as bandit_pomdp,
)
from .pomdps.small_problems import (
    dosing_pomdp as dosing_pomdp,
)
from .pomdps.small_problems import (
    light_dark_pomdp as light_dark_pomdp,
)
from .pomdps.small_problems import (
    twenty_questions_pomdp as twenty_questions_pomdp,
)
from .pomdps.stating import (
    pomdp_of_control as pomdp_of_control,
)
from .pomdps.stating import (
    pomdp_of_functions as pomdp_of_functions,
)
from .posterior_sampling import (
    PosteriorSampling as PosteriorSampling,
)
from .problems.registry import (
    PROBLEMS as PROBLEMS,
)
from .recording import (
    Episode as Episode,
)
from .recording import (
    Turn as Turn,
)
from .recording import (
    record as record,
)
from .recording import (
    shares as shares,
)
from .rollout import (
    PolicyCost as PolicyCost,
)
from .rollout import (
    Rollout as Rollout,
)
from .samplers import (
    SAMPLERS as SAMPLERS,
)
from .samplers import (
    sampler_of as sampler_of,
)
from .search_policy import (
    SearchPolicy as SearchPolicy,
)
from .simulation import (
    simulate as simulate,
)
from .situation import (
    BeliefMDP as BeliefMDP,
)
from .situation import (
    PomdpView as PomdpView,
)
from .situation import (
    Situation as Situation,
)
from .situation import (
    start as start,
)
from .tree_search import (
    Result as Result,
)
from .tree_search import (
    TreeSearch as TreeSearch,
)
