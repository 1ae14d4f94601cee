"""The laboratory, as a visitor uses it in a real browser."""

from __future__ import annotations

import json
import random
import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import expect

from plyground.errors import FormatError
from plyground.games.tree import read_tree
from plyground.games.tree_notation import read_notation
from plyground.pictures.tree import tree_data
from plyground.watch.searches import search_drawing

WORKED = "((3 12 8) (2 4 6) (14 5 2))"


class Laboratory:
    """The watch page in a visitor's browser."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page
        self.caption = self.page.locator(".caption")
        self.said = self.page.locator(".exercise-said")

    def node(self, number, place=0):
        return self.page.locator(".replay").nth(place).locator(f'[data-node="{number}"]')

    def shape(self, number):
        return self.node(number).locator(".shape")

    def press(self, *keys):
        self.visitor.press(*keys)

    @property
    def query(self):
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def ready(self):
        expect(self.page.locator(".replay [data-node]").first).to_be_attached()
        return self


@pytest.fixture
def watch(visit):
    def opened(path="/watch", **options):
        return Laboratory(visit(path, **options)).ready()

    return opened


def test_alphabeta_on_the_worked_tree_makes_two_cuts(watch):
    lab = watch()
    assert lab.page.title().startswith("The worked tree: alphabeta")
    lab.press("End")
    expect(lab.page.locator(".strike:not(.legend *)")).to_have_count(2)
    for number in (8, 9):
        expect(lab.node(number)).to_have_class(re.compile("unvisited cut"))
    expect(lab.node(9)).to_contain_text("v ≤ α (2 ≤ 3)")
    expect(lab.node(0)).to_contain_text("3")
    expect(lab.page.locator("[data-fact=moves_cut]")).to_have_text("2 branches cut")
    expect(lab.page.locator("[data-fact=visited]")).to_have_text("11 nodes visited")
    told = " ".join(lab.page.locator(".watch-facts").inner_text().split())
    assert told == "11 nodes visited 7 leaves 2 branches cut value 3 line a1 b1"
    lab.visitor.accessible()


def test_the_search_is_stepped_played_and_rewound_and_the_address_knows_where(watch):
    lab = watch()
    lab.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(lab.caption).to_have_text("By b1 to a leaf: 3.")
    assert lab.query["step"] == "3"
    lab.page.reload()
    expect(lab.caption).to_have_text("By b1 to a leaf: 3.")
    lab.press("ArrowLeft")
    expect(lab.page.locator(".count")).to_have_text("2 / 26")
    lab.page.locator(".speed").select_option("100")
    lab.page.locator(".play").click()
    expect(lab.page.locator(".count")).to_have_text("26 / 26")
    assert lab.query["step"] == "last"
    lab.press("Home")
    expect(lab.page.locator(".count")).to_have_text("0 / 26")


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_the_program_beside_the_tree_is_stepped_to_its_end_and_stops_at_a_breakpoint(watch, lang):
    lab = watch(f"/watch?tree={WORKED}&algorithm=alphabeta", locale={"en": "en-GB", "zh": "zh-CN"}[lang])
    tree = {"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]}
    program = tree_data(search_drawing(read_tree(tree), algorithm="alphabeta", lang=lang).drawing)["program"]
    lines, now = program["forms"][0]["lines"], lab.page.locator(".code [aria-current=step] .line-number")
    for run, *_ in program["steps"]:
        lab.press("ArrowRight")
        expect(now).to_have_text(lines[program["runs"][run][0][-1]][0])
        assert lab.page.locator(".code .ran").count() == len(program["runs"][run][0])
    lab.visitor.accessible()
    cut = next(place for place, (_, text) in enumerate(lines) if "if v ≤ α" in text)
    lab.page.locator(".line-number").nth(cut).click()
    stops = [step for step, (run, *_) in enumerate(program["steps"], 1) if cut in program["runs"][run][0]]
    for stop in reversed(stops):
        lab.press("Shift+ArrowLeft")
        expect(lab.page.locator(".count")).to_have_text(f"{stop} / {len(program['steps'])}")
    lab.page.locator(".to-breakpoint").click()
    expect(lab.page.locator(".count")).to_have_text(f"{stops[1]} / {len(program['steps'])}")


def test_two_searches_side_by_side_on_the_same_position(watch):
    lab = watch("/watch?game=tictactoe&moves=b2%20a1&algorithm=alphabeta:depth=2&beside=minimax:depth=2")
    expect(lab.page.locator(".replay")).to_have_count(2)
    visited = [int(text.split()[0]) for text in lab.page.locator("[data-fact=visited]").all_inner_texts()]
    assert visited[0] < visited[1] == 1 + 7 + 7 * 6
    expect(lab.page.locator(".watch-compare p")).to_contain_text(f"alphabeta:depth=2 visits {visited[0]} nodes")
    lab.press("ArrowRight")
    expect(lab.page.locator(".count")).to_have_text([re.compile("^1 / "), re.compile("^1 / ")])


def test_the_four_phases_of_monte_carlo_tree_search(watch):
    lab = watch("/watch?lesson=worked-mcts")
    told = []
    while lab.page.locator(".next").is_enabled():
        lab.press("ArrowRight")
        told.append(lab.caption.inner_text())
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        assert any(phase in caption for caption in told), phase
    for text in ("0.70 + 0.552 = 1.252", "1 − 0.50 + 0.872 = 1.372", "1.00 + 1.745 = 2.745", "12/22"):
        expect(lab.page.locator(".tree")).to_contain_text(text)
    expect(lab.page.locator(".legend .read")).to_contain_text("UCB, the upper confidence bound")


def test_a_search_that_ends_early_says_after_how_many_simulations(watch):
    lab = watch("/watch?algorithm=mcts")
    heading = lab.page.locator(".watch-column > header")
    expect(heading).to_contain_text("solved")
    after = re.search(r"after ([\d,]+) simulations", heading.inner_text())[1]
    expect(heading.locator("[data-fact=simulations]")).to_have_text(f"{after} simulations")


COUNTED = {
    "players": ["Black", "White"], "view": "Black",
    "root": {"Q": 12, "N": 21, "max": [
        {"Q": 7, "N": 10, "min": [1, -1]}, {"Q": 5, "N": 8, "min": [1, -1]}, {"Q": 0, "N": 3, "min": [1, -1]},
    ]},
}  # fmt: skip


def test_a_tree_with_counts_is_typed_and_loaded_and_the_film_goes_on_from_them(watch, tmp_path):
    lab = watch(f"/watch?tree={WORKED}&algorithm=uct:simulations=1,steps=1")
    for word in ("typed", "loaded"):
        if word == "typed":
            lab.page.locator('textarea[data-field="tree"]').fill(json.dumps(COUNTED))
        else:
            file = tmp_path / "counted.json"
            file.write_text(json.dumps(COUNTED | {"view": "White"}))
            lab.page.locator("input[type=file]").set_input_files(file)
        whose = {"typed": "Black's", "loaded": "White's"}[word]
        expect(lab.page.locator(".watch-column > header h2")).to_contain_text(
            f"simulation 22 (uct). Q/N at a node is {whose}"
        )
        lab.press("Home")
        for ratio in ("12/21", "7/10", "5/8", "0/3"):
            expect(lab.page.locator(".tree")).to_contain_text(ratio)
    assert json.loads(lab.query["tree"])["view"] == "White"
    lab.page.locator('textarea[data-field="tree"]').fill(json.dumps({"Q": 3, "N": 2, "max": [1, -1]}))
    expect(lab.page.locator(".watch-status.bad")).to_contain_text("root: Q = 3 cannot be of N = 2")


def test_the_worked_example_goes_on_with_any_monte_carlo_search(watch):
    lab = watch("/watch?lesson=worked-mcts")
    lab.page.locator('select[data-field="algorithm"]').select_option("mcts")
    expect(lab.page.locator(".watch-column > header h2")).to_contain_text("Monte Carlo by hand, simulations")
    assert lab.query["algorithm"].startswith("mcts:simulations=")


LINES = [
    "((3 12 8) (2 4 6) (14 5 2))", "min ((3, 12) [-2.5 .5])", "MAX(1)", "(+1 3. 1e2 −4)", "[1 (2 [3])]", " (1)\n",
    "", "3", "min 3", "minimum (3 4)", "((3 12 8)", "()", "((3) ())", "(3]", "(3))", "(3) 4", "(3 x)", "(3 0x10)",
    "(3 1_000)", "(NaN)", "(Infinity)", "(1e999)", "(--1)", "(١)", "(min 3 4)", "(1", ")", "max", "(3 4) (5 6)",
]  # fmt: skip


def test_the_page_and_the_command_read_one_grammar(watch):
    lab = watch()
    read = lab.page.evaluate(
        """async (lines) => {
          const { readTree } = await import("/static/lab/watch/notation.js");
          return lines.map((line) => { try { return readTree(line).root; } catch (error) { return error.message; } });
        }""",
        LINES,
    )
    for line, there in zip(LINES, read, strict=True):
        try:
            here = read_notation(line)
        except FormatError:
            here = None
        assert (there if isinstance(there, dict) else None) == here, line


def test_any_parameters_are_chosen_and_stay_in_the_address(watch):
    lab = watch()
    lab.page.get_by_role("radio", name="Game", exact=True).check()
    expect(lab.page.locator(".caption")).not_to_be_empty()
    lab.page.get_by_label("Game", exact=True).and_(lab.page.locator("select")).select_option("nim")
    lab.page.get_by_label("Piles").fill("1,2")
    lab.page.get_by_label("Piles").press("Enter")
    lab.page.get_by_role("spinbutton", name="Depth").fill("2")
    lab.page.get_by_role("spinbutton", name="Depth").press("Enter")
    lab.page.wait_for_url(re.compile(r"game=nim:piles.*algorithm=alphabeta:depth"))
    expect(lab.page.locator(".watch-column > header h2")).to_have_text(re.compile("Nim.*depth 2"))
    lab.page.reload()
    expect(lab.page.locator(".watch-column > header h2")).to_have_text(re.compile("Nim.*depth 2"))


def test_a_player_is_watched_live_while_it_thinks(watch):
    at = watch("/watch?game=tictactoe&moves=b2&mode=live&player=mcts:simulations=4000,solver=off")
    page = at.page
    tree = page.locator(".live-tree")
    expect(page.locator("[data-fact=simulations]")).to_have_text("4,000 simulations")
    expect(tree.locator(".node")).not_to_have_count(0)
    expect(page.locator("[data-fact=value] b")).to_have_text(tree.locator(".node .value").first.text_content())
    at.visitor.accessible()
    page.get_by_label("Who thinks").fill("alphabeta:depth=3")
    page.get_by_label("Who thinks").press("Tab")
    expect(page.locator("[data-fact=depth]")).to_have_text("3 plies deep")
    expect(page.locator("[data-fact=cuts]")).to_have_text(re.compile(r"^\d+ cuts, \d+% by the first move$"))
    expect(page.locator(".live-tree")).to_contain_text("α cut")
    assert "player=alphabeta:depth%3D3" in page.url or "player=alphabeta:depth=3" in page.url
    page.get_by_label("Who thinks").fill("random")
    page.get_by_label("Who thinks").press("Tab")
    expect(page.get_by_text("Nothing to draw: this player does not show the tree of its search.")).to_be_visible()
    expect(page.locator(".live-tree")).to_be_hidden()
    expect(page.locator("p.legend")).to_have_text(re.compile(r"^random plays \w\d after .* s, and says nothing"))
    page.get_by_label("Who thinks").fill("alphabeta:depth=3")
    page.get_by_label("Who thinks").press("Tab")
    expect(page.locator(".live-tree")).to_contain_text("α cut")
    expect(page.locator(".watch-nothing")).to_be_hidden()
    page.get_by_label("Who thinks").fill("nobody")
    page.get_by_label("Who thinks").press("Tab")
    expect(page.locator(".watch-status")).to_contain_text("there is no player 'nobody'")


def test_what_cannot_be_searched_is_told_in_one_line(watch):
    lab = watch()
    lab.page.get_by_role("radio", name="Tree", exact=True).check()
    area = lab.page.get_by_label("The tree, MAX first")
    for text, said in (("((3 12) (2", "bracket"), ("((3 x) (2 4))", "numbers"), ("{", "JSON")):
        area.fill(text)
        expect(lab.page.locator(".watch-status")).to_contain_text(said)
    area.fill('{"root": {"max": [{"chance": [[0.5, 1], [0.9, 2]]}]}}')
    expect(lab.page.locator(".watch-status")).to_contain_text("probabilities")


def test_the_exercise_is_graded_right_and_wrong_with_the_reason(watch):
    lab = watch("/watch?mode=exercise")
    assert "3" not in lab.node(0).text_content()
    lab.shape(8).click()
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("One of 2 cut branches is still missing.")
    expect(lab.said).not_to_contain_text("All found")
    expect(lab.said.locator("li")).to_contain_text(
        ["Right. MIN at C knows v = 2 with α = 3, β = +∞: v ≤ α, α cut. The bound comes from A, right above."]
    )
    expect(lab.node(8)).to_have_class(re.compile("right"))
    lab.shape(9).click()
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("All found: 2 branches are cut off.")
    lab.page.get_by_role("radio", name="β cut").check()
    lab.shape(9).click()
    lab.shape(6).click()
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("2 marks are wrong.")
    wrong = lab.said.locator("[data-verdict=wrong]")
    expect(wrong).to_contain_text(["Not cut off here.", "A cut, but of the other kind."])
    expect(wrong.first).to_contain_text(
        "The search looks here: MIN at B knows v = 3, with α = −∞, β = 3. A cut needs v ≤ α."
    )
    lab.visitor.accessible()
    lab.visitor.button("Clear").click()
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("2 of 2 cut branches are still missing.")
    lab.visitor.button("Show the search").click()
    expect(lab.page.locator(".strike:not(.legend *)")).to_have_count(2)


def test_nothing_of_an_exercise_is_folded(watch):
    wide = " ".join(f"({number} {number + 1} {number + 2})" for number in range(60))
    lab = watch(f"/watch?tree=({wide})&mode=exercise")
    expect(lab.page.locator(".replay [data-node]")).to_have_count(1 + 60 + 180)
    expect(lab.page.locator(".replay [data-pill]")).to_have_count(0)


def random_tree(rng, depth=3, mover=0):
    if depth == 0 or (depth < 3 and rng.random() < 0.15):
        return rng.randrange(-9, 10)
    return {("max", "min")[mover]: [random_tree(rng, depth - 1, 1 - mover) for _ in range(rng.randrange(1, 4))]}


def test_the_judge_agrees_with_the_search_on_any_tree(watch):
    """Every branch, marked as each kind: right where the search cuts it so, and nowhere else."""
    lab, rng = watch(), random.Random(5)
    script = """async ([drawing, facts]) => {
      const { judgeCuts } = await import("/static/lab/watch/exercise.js");
      const found = {};
      for (const kind of ["alpha", "beta"]) {
        const marks = new Map(drawing.nodes.slice(1).map((_, i) => [i + 1, kind]));
        const { verdicts } = await judgeCuts(drawing, facts, marks, "en");
        for (const { key, found: verdict } of verdicts) found[`${kind} ${key}`] = verdict;
      }
      return found;
    }"""
    kinds = set()
    for _ in range(12):
        found = search_drawing(read_tree({"root": random_tree(rng)}), algorithm="alphabeta")
        facts = {"nodes": [{"value": node.value} for node in found.nodes]}
        verdicts = lab.page.evaluate(script, [tree_data(found.drawing), facts])
        for kind in ("alpha", "beta"):
            for number, node in enumerate(found.nodes[1:], 1):
                at = next((cut for cut in found.cuts if cut.actions and cut.node == node.parent), None)
                cut = not node.visited and at is not None and found.nodes[node.parent].visited
                assert verdicts[f"{kind} {number}"] == ("right" if cut and at.kind == kind else "wrong")
                kinds.add((cut, node.visited))
    assert kinds == {(True, False), (False, True), (False, False)}


def test_trees_are_read_and_written_in_one_line(watch):
    lab, rng = watch(), random.Random(6)
    trees = [
        {kind: [random_tree(rng, 2, mover), random_tree(rng, 2, mover)]} for kind, mover in (("max", 1), ("min", 0))
    ]
    script = """async (roots) => {
      const { nodeList, readTree, writeTree } = await import("/static/lab/watch/notation.js");
      return roots.map((root) => [writeTree(root), readTree(writeTree(root)).root, nodeList(root).length]);
    }"""
    for root, (text, again, count) in zip(trees, lab.page.evaluate(script, trees), strict=True):
        assert again == root
        assert text.startswith("min (" if "min" in root else "(")
        assert count == len(read_tree(root).initial.table)


def test_both_kinds_of_cuts_are_found_by_keyboard(watch):
    lab = watch("/watch?lesson=exercise2&mode=exercise")
    for kind, number in (("β cut", 13), ("α cut", 7)):
        lab.page.get_by_role("radio", name=kind).check()
        lab.node(number).focus()
        lab.press("Enter")
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("All found: 2 branches are cut off.")


def test_a_tree_is_edited_on_the_picture_and_loaded_from_a_file(watch, tmp_path):
    lab = watch(f"/watch?tree={WORKED}&mode=edit")
    nodes = lab.page.locator(".replay [data-node]")
    lab.shape(7).click()
    lab.page.get_by_label("Value of the leaf").fill("4")
    lab.press("Enter")
    expect(lab.page.get_by_label("The tree, MAX first")).to_have_value("((3 12 8) (4 4 6) (14 5 2))")
    expect(lab.node(7)).to_contain_text("4")  # the picture has followed, and nothing moves under the pointer
    lab.shape(2).click()
    lab.page.get_by_role("button", name="Remove").click()
    expect(lab.page.get_by_label("The tree, MAX first")).to_have_value("((3 12 8) (14 5 2))")
    expect(nodes).to_have_count(9)
    lab.page.get_by_role("button", name="Add a child").click()
    expect(lab.page.get_by_label("The tree, MAX first")).to_have_value("((3 12 8) (14 5 2) 0)")
    expect(nodes).to_have_count(10)
    lab.page.get_by_role("radio", name="Exercise").check()
    expect(lab.page.locator(".exercise-question")).to_be_visible()
    file = tmp_path / "tree.json"
    file.write_text('{"root": {"min": [{"max": [1, 2]}, {"max": [9, 0]}]}}')
    lab.page.locator("input[type=file]").set_input_files(file)
    expect(lab.page.get_by_label("The tree, MAX first")).to_have_value("min ((1 2) (9 0))")
    expect(nodes).to_have_count(7)
    lab.page.get_by_role("radio", name="β cut").check()
    lab.shape(6).click()
    lab.visitor.button("Check").click()
    expect(lab.said).to_contain_text("All found: one branch is cut off.")


def test_the_tools_are_about_the_tree_as_it_is_while_its_picture_is_on_the_way(visit):
    visitor = visit("/")
    held = visitor.hold_answers("/ws/search")
    lab = Laboratory(visitor.open(f"/watch?tree={WORKED}&mode=edit"))
    held.hand_on("drawing")
    text = lab.page.get_by_label("The tree, MAX first")
    lab.shape(7).click()
    lab.page.get_by_label("Value of the leaf").fill("4")
    lab.page.get_by_role("button", name="Add a child").click()
    expect(text).to_have_value("((3 12 8) ((4) 4 6) (14 5 2))")
    lab.page.get_by_role("button", name="Remove").click()
    expect(text).to_have_value("((3 12 8) (4 6) (14 5 2))")
    lab.shape(5).click()  # which is another node by now
    lab.page.get_by_role("button", name="Add a child").click()
    expect(text).to_have_value("((3 12 8) (4 6 0) (14 5 2))")
    expect(lab.page.locator(".editor-bar")).to_contain_text("MIN with 3 children")
    held.let_go()
    expect(lab.node(9)).to_contain_text("0")
    lab.shape(9).click()
    expect(lab.page.get_by_label("Value of the leaf")).to_have_value("0")


def test_a_message_that_is_torn_is_a_connection_that_is_lost(visit):
    visitor = visit("/")
    held = visitor.hold_answers("/ws/search")
    visitor.open("/watch")
    held.hand_on("drawing", '{"id":1,"event":"drawing","drawing":{"tit')
    expect(visitor.page.locator(".watch-status")).to_have_text("The server does not answer.")
    visitor.page.locator("select[data-field=lesson]").select_option("exercise2")
    held.hand_on("drawing")
    expect(visitor.page.locator(".replay [data-node]").first).to_be_attached()


@pytest.mark.slow
def test_the_laboratory_speaks_chinese_in_the_dark_on_a_telephone(watch):
    lab = watch("/watch?step=last", locale="zh-CN", color_scheme="dark", width=360, height=720)
    expect(lab.caption).to_contain_text("最佳")
    lab.visitor.fits()
    lab.visitor.accessible()
    lab.page.locator("summary").click()
    lab.page.get_by_role("radio", name="练习").check()
    expect(lab.page.locator(".exercise-question")).to_contain_text("α-β 剪枝")
    lab.visitor.fits()


INSIDE = """selector => {
  const { left, right, top, bottom } = document.querySelector('.replay .tree').getBoundingClientRect();
  const found = [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
  return found.length > 0 && found.every((box) =>
    box.left >= left - 1 && box.right <= right + 1 && box.top >= top - 1 && box.bottom <= bottom + 1);
}"""


def test_on_a_telephone_the_first_tree_is_seen_whole_with_its_legend_and_no_button_on_it(watch):
    lab = watch("/watch", width=390, height=844)
    for step in (None, "End"):
        if step:
            lab.press(step)
            expect(lab.caption).to_contain_text("Best play: a1 b1")
        lab.page.wait_for_function(INSIDE, arg=".replay .node")
        lab.page.wait_for_function(INSIDE.replace("found.every", "!found.some"), arg=".replay .zoom")
    assert lab.page.locator(".replay .legend").evaluate("list => list.scrollWidth <= list.clientWidth")
    expect(lab.page.locator(".replay .legend li:visible").last).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.slow)])
def test_the_move_that_was_chosen_is_seen_at_the_last_step(watch, width):
    leaves = " ".join(f"({n} {n + 1} {n + 2})" for n in range(12))
    lab = watch(f"/watch?tree=({quote(leaves)})&algorithm=minimax&step=last", width=width, height=844)
    expect(lab.caption).to_contain_text("plays")
    lab.page.wait_for_function(INSIDE, arg='.replay .node.best[data-node="12"] .shape')
    lab.page.wait_for_function(INSIDE, arg='.replay [data-node="0"] .shape')


def test_a_tree_that_grows_can_be_read_on_a_telephone_and_be_seen_whole(watch):
    at = watch(
        "/watch?game=tictactoe&moves=b2&mode=live&player=mcts:simulations=3000,solver=off", width=360, height=720
    )
    expect(at.page.locator(".watch-stage [data-fact=simulations]")).to_have_text("3,000 simulations")
    tree = at.page.locator(".live-tree")
    expect(tree.locator(".node.best").first).to_be_in_viewport()
    smallest = "(least) => [...document.querySelectorAll('.live-tree .tree text')].map((text) => "
    smallest += "parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a).every((size) => size >= least)"
    at.page.wait_for_function(smallest, arg=10.9)
    at.visitor.accessible()
    tree.get_by_role("button", name="show the whole tree").click()
    at.page.wait_for_function(
        "() => [...document.querySelectorAll('.live-tree .node')].map((node) => node.getBoundingClientRect())"
        ".every(({ left, right }) => left >= 0 && right <= innerWidth)"
    )
