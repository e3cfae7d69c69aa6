"""PomdpX files: read, written, and refused by line."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_pomdps import dense, random_pomdp

from sleuth.planning.pomdps.files import pomdp_from_text, pomdp_to_text
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.parts import parts_of
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.pomdpx import pomdp_from_xml, pomdp_to_xml, read_pomdpx, write_pomdpx
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.support.errors import SleuthError

# A rover on two cells, which it sees, with one rock, which it checks; sampling a good rock makes it bad.
ROVER = """<?xml version="1.0" encoding="ISO-8859-1"?>
<pomdpx version="1.0" id="rover" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <Description>Two cells and a rock.</Description>
  <Discount> 0.9 </Discount>
  <Variable>
    <StateVar vnamePrev="rover_0" vnameCurr="rover_1" fullyObs="true">
      <ValueEnum>west east</ValueEnum>
    </StateVar>
    <StateVar vnamePrev="rock_0" vnameCurr="rock_1" fullyObs="false">
      <ValueEnum>good bad</ValueEnum>
    </StateVar>
    <ObsVar vname="sensor"><NumValues>2</NumValues></ObsVar>
    <ActionVar vname="act"><ValueEnum>go check sample</ValueEnum></ActionVar>
    <RewardVar vname="gain"/>
    <RewardVar vname="toll"/>
  </Variable>
  <InitialStateBelief>
    <CondProb><Var>rover_0</Var><Parent>null</Parent><Parameter type="TBL">
      <Entry><Instance>west</Instance><ProbTable>1.0</ProbTable></Entry>
    </Parameter></CondProb>
    <CondProb><Var>rock_0</Var><Parent>null</Parent><Parameter type="TBL">
      <Entry><Instance>-</Instance><ProbTable>uniform</ProbTable></Entry>
    </Parameter></CondProb>
  </InitialStateBelief>
  <StateTransitionFunction>
    <CondProb><Var>rover_1</Var><Parent>act rover_0</Parent><Parameter type="TBL">
      <Entry><Instance>* - -</Instance><ProbTable>identity</ProbTable></Entry>
      <Entry><Instance>go - -</Instance><ProbTable>0.2 0.8 0.8 0.2</ProbTable></Entry>
    </Parameter></CondProb>
    <CondProb><Var>rock_1</Var><Parent>act rover_1 rock_0</Parent><Parameter type="DD">
      <DAG><Node var="act">
        <Edge val="go"><SubDAG type="persistent" var="rock_1"/></Edge>
        <Edge val="check"><SubDAG type="template" idref="same"/></Edge>
        <Edge val="sample"><Node var="rover_1">
          <Edge val="west"><SubDAG type="template" idref="same"/></Edge>
          <Edge val="east"><SubDAG type="deterministic" var="rock_1" val="bad"/></Edge>
        </Node></Edge>
      </Node></DAG>
      <SubDAGTemplate id="same"><SubDAG type="persistent" var="rock_1"/></SubDAGTemplate>
    </Parameter></CondProb>
  </StateTransitionFunction>
  <ObsFunction>
    <CondProb><Var>sensor</Var><Parent>act rock_1</Parent><Parameter type="DD">
      <DAG><Node var="act">
        <Edge val="go"><SubDAG type="uniform" var="sensor"/></Edge>
        <Edge val="sample"><SubDAG type="deterministic" var="sensor" val="o1"/></Edge>
        <Edge val="check"><Node var="rock_1">
          <Edge val="good"><Node var="sensor">
            <Edge val="o0"><Terminal>0.75</Terminal></Edge><Edge val="o1"><Terminal>0.25</Terminal></Edge>
          </Node></Edge>
          <Edge val="bad"><Node var="sensor">
            <Edge val="o0"><Terminal>0.25</Terminal></Edge><Edge val="o1"><Terminal>0.75</Terminal></Edge>
          </Node></Edge>
        </Node></Edge>
      </Node></DAG>
    </Parameter></CondProb>
  </ObsFunction>
  <RewardFunction>
    <Func><Var>gain</Var><Parent>act rover_0 rock_0</Parent><Parameter type="TBL">
      <Entry><Instance>sample east -</Instance><ValueTable>10 -10</ValueTable></Entry>
      <Entry><Instance>sample west *</Instance><ValueTable>-5</ValueTable></Entry>
    </Parameter></Func>
    <Func><Var>toll</Var><Parent>rover_1 sensor</Parent><Parameter type="TBL">
      <Entry><Instance>east o1</Instance><ValueTable>-1</ValueTable></Entry>
    </Parameter></Func>
  </RewardFunction>
</pomdpx>
"""


def test_a_factored_problem_is_read() -> None:
    pomdp = pomdp_from_xml(ROVER.encode())
    assert pomdp.states == ("west,good", "west,bad", "east,good", "east,bad")
    assert pomdp.actions == ("go", "check", "sample")
    assert pomdp.observations == ("o0,west", "o0,east", "o1,west", "o1,east")
    assert pomdp.initial.tolist() == [0.5, 0.5, 0, 0]
    assert pomdp.discount == 0.9
    transition, observation = dense(pomdp)
    go = np.array([[0.2, 0, 0.8, 0], [0, 0.2, 0, 0.8], [0.8, 0, 0.2, 0], [0, 0.8, 0, 0.2]])
    assert transition[0] == pytest.approx(go)
    assert transition[1].tolist() == np.eye(4).tolist()
    assert transition[2].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
    told = np.array([[0.75, 0, 0.25, 0], [0.25, 0, 0.75, 0], [0, 0.75, 0, 0.25], [0, 0.25, 0, 0.75]])
    assert observation[1].tolist() == told.tolist()
    assert observation[0][0].tolist() == [0.5, 0, 0.5, 0]
    # A toll in the east for the second observation: by chance after go, by the rock after check.
    assert pomdp.reward[0].tolist() == pytest.approx([-0.4, -0.4, -0.1, -0.1])
    assert pomdp.reward[1].tolist() == pytest.approx([0, 0, -0.25, -0.75])
    assert pomdp.reward[2].tolist() == pytest.approx([-5, -5, 9, -11])
    # What is fully observed makes parts.
    assert sorted(map(len, parts_of(pomdp).members)) == [2, 2]


def test_the_value_of_what_is_read_is_the_one_of_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "tiger.pomdpx"
    write_pomdpx(tiger_pomdp(), file)
    found = HSVI(read_pomdpx(file)).run(gap=0.01)
    assert found.lower <= 19.3714 <= found.upper
    assert found.action == "listen"


def same(one: POMDP, other: POMDP) -> bool:
    tables = ((p.transition, p.observation) for p in (one, other))
    return all(
        np.array_equal(mine, theirs)
        for tables_of in zip(*tables, strict=True)
        for mine, theirs in zip(*tables_of, strict=True)
    ) and all(
        np.array_equal(getattr(one, key), getattr(other, key))
        for key in ("reward", "discount", "initial", "states", "actions", "observations")
    )


@given(st.integers(0, 10**6))
def test_round_trips_through_both_formats(seed: int) -> None:
    pomdp = random_pomdp(seed)
    named = replace(
        pomdp,
        states=tuple(f"state-{i}" for i in range(len(pomdp.states))),
        actions=tuple(f"do-{i}" for i in range(len(pomdp.actions))),
        observations=tuple(f"see-{i}" for i in range(len(pomdp.observations))),
    )
    read = pomdp_from_xml(pomdp_to_xml(named))
    assert same(replace(read, reward=named.reward), named)
    assert read.reward == pytest.approx(named.reward, abs=1e-12)
    again = pomdp_from_text(pomdp_to_text(read))
    assert same(replace(again, reward=named.reward), named)
    assert same(pomdp_from_xml(pomdp_to_xml(again)), again)


def test_names_are_kept_as_far_as_they_fit() -> None:
    pomdp = POMDP.of_arrays([[[1.0]]], [[[1.0]]], [[2.0]], 0.5, states=["a & <b"], actions=["<&>"])
    again = pomdp_from_xml(pomdp_to_xml(pomdp))
    assert (again.states, again.actions, again.observations) == (("s0",), ("<&>",), ("0",))
    assert again.reward.tolist() == [[2.0]]


def test_nothing_need_be_observed() -> None:
    a, b = ROVER.index("<ObsVar"), ROVER.index("<ActionVar")
    text = ROVER[:a] + ROVER[b:]
    text = text.replace('fullyObs="true"', "").replace("<Parent>rover_1 sensor", "<Parent>rover_1")
    text = text.replace("<Instance>east o1", "<Instance>east")
    c, d = text.index("<ObsFunction>"), text.index("<RewardFunction>")
    pomdp = pomdp_from_xml((text[:c] + text[d:]).encode())
    assert pomdp.observations == ("nothing",)
    assert pomdp.reward[0].tolist() == pytest.approx([-0.8, -0.8, -0.2, -0.2])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.2 0.8 0.8 0.2", "0.2 0.8 0.8 0.3", "rover_1 where act go, rover_0 east add up to 1.1, and must"),
        ("0.2 0.8 0.8 0.2", "1.2 -0.2 0.8 0.2", "rover_1 where act go, rover_0 west have -0.2, below 0"),
        ("0.2 0.8 0.8 0.2", "0.2 0.8 0.8", "takes 4 numbers, not 3"),
        ("0.2 0.8 0.8 0.2", "0.2 0.8 x 0.2", "'x' stands where a number should"),
        ("0.2 0.8 0.8 0.2", "0.2 0.8 inf 0.2", "inf is no finite number"),
        ("<Instance>go - -", "<Instance>went - -", "'went' is none of the 3 values of act"),
        ("<Instance>go - -", "<Instance>go -", "act, rover_0, rover_1 has 3 words, not 2"),
        ("<Parent>act rover_0<", "<Parent>act roof_0<", "'roof_0' cannot be a parent here"),
        ("<Parent>act rover_0<", "<Parent>act act<", "a parent is named twice"),
        (' type="template" idref="same"', ' type="template" idref="other"', "there is no template 'other'"),
        ('type="deterministic" var="rock_1"', 'type="certain" var="rock_1"', "not 'certain'"),
        ('type="deterministic" var="rock_1"', 'type="deterministic" var="act"', "'act' is no variable of"),
        ("<Terminal>0.75", "<Terminal>much", "'much' stands where a number should"),
        ('<Parameter type="TBL">', '<Parameter type="XYZ">', "a parameter is of type TBL or DD, not 'XYZ'"),
        ("<Discount> 0.9", "<Discount> 1.5", r"a discount lies in \[0, 1\), not 1.5"),
        ("<Discount> 0.9", "<Discount> high", "'high' stands where a number should"),
        ("<NumValues>2", "<NumValues>0", "the number of values is '0'"),
        ("<ValueEnum>go check sample", "<ValueEnum>go go", "values differ"),
        ('<RewardVar vname="toll"/>', '<RewardVar vname="act"/>', "'act' names two variables"),
        ("<Var>toll</Var>", "<Var>tax</Var>", "'tax' is no reward variable"),
        ("<Var>rock_1</Var>", "<Var>rock_0</Var>", "'rock_0' has no chances here"),
        ('vname="sensor"', 'name="sensor"', "<ObsVar> needs the attribute vname"),
    ],
)
def test_what_is_wrong_is_refused_by_its_line(old: str, new: str, said: str) -> None:
    with pytest.raises(SleuthError, match=rf"^line \d+: .*{said}") as refused:
        pomdp_from_xml(ROVER.replace(old, new).encode())
    line = int(str(refused.value).split(":")[0].removeprefix("line "))
    assert line <= ROVER[: ROVER.index(old)].count("\n") + 1 <= line + 5  # where the element of it begins


def test_documents_that_are_none_are_refused() -> None:
    for text, said in (
        ("", "line 1: no XML: no element found"),
        ("<pomdpx><Discount>", "line 1: no XML: "),
        ("<mdp/>", "line 1: the document is <mdp>, not <pomdpx>"),
        ("<pomdpx/>", "line 1: <pomdpx> needs one <Discount>, and has 0"),
        ("<!DOCTYPE pomdpx []>\n<pomdpx/>", "line 1: a DTD and entities are not read"),
        ('<!DOCTYPE p [<!ENTITY a "b">]>\n<pomdpx/>', "line 1: a DTD and entities are not read"),
        ("<a>" * 1200, "line 1: more than 1000 elements in another"),
    ):
        with pytest.raises(SleuthError, match=said):
            pomdp_from_xml(text.encode())


def test_variables_that_depend_on_each_other_are_refused() -> None:
    text = ROVER.replace("<Parent>act rover_0<", "<Parent>act rover_0 rock_1<")
    text = text.replace("<Instance>* - -", "<Instance>* - * -").replace(
        "<Instance>go - -", "<Instance>go - * -"
    )
    with pytest.raises(SleuthError, match=r"line \d+: the chances of rover_1, rock_1 depend on each other"):
        pomdp_from_xml(text.encode())


def test_files(tmp_path: Path) -> None:
    with pytest.raises(SleuthError, match=r"no\.pomdpx cannot be read"):
        read_pomdpx(tmp_path / "no.pomdpx")
    with pytest.raises(SleuthError, match="cannot be written"):
        write_pomdpx(tiger_pomdp(), tmp_path / "no" / "tiger.pomdpx")
    (tmp_path / "bad.pomdpx").write_text("<pomdpx/>")
    with pytest.raises(SleuthError, match=r"bad\.pomdpx: line 1"):
        read_pomdpx(tmp_path / "bad.pomdpx")
