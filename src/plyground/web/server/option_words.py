"""In Chinese what games, players and their options say of themselves in English, for the app."""

from __future__ import annotations

__all__ = ["CHINESE"]

CHINESE = {
    # What players are
    "A person at this terminal: types moves; knows help, hint, undo, resign.": "坐在这里的人。",
    "Plays uniformly random legal moves.": "在合法着法中均匀随机地选。",
    "Tesauro's pubeval, the yardstick of programs of backgammon since 1993.": (
        "Tesauro 的 pubeval，1993 年以来双陆棋程序的尺子。"
    ),
    "one game of the match alone, worth the chance to win it": "只是这场比赛中的一局，价值是赢下比赛的概率",
    "Paranoid search for any number of players: the others play against me, or in coalitions.":
        "偏执搜索，人数不限：其他人联手对付我，或者结成几个联盟。",
    "Max^n for any number of players: everybody maximises its own utility.":
        "Max^n，人数不限：每一方都只求自己的收益最大。",
    "Minimax for games with dice: chance nodes count by their average.":
        "掷骰子的游戏用的极小化极大：机会节点取平均值。",
    "Flat Monte Carlo: random games after each move, and the best average.":
        "平面蒙特卡洛：每个着法之后随机对局，取平均最好的。",
    "UCT as a lecture writes it down: `mcts` without solver, game knowledge or kept trees; the most visits win.":
        "课堂上的 UCT：没有求解、棋类知识和保留的树的 mcts；访问最多的着法入选。",
    "Monte Carlo tree search (UCT): the classical MiniAlphaGo.": "蒙特卡洛树搜索（UCT）：经典的 MiniAlphaGo。",
    "Plain minimax, with an evaluation at the depth limit.": "朴素的极小化极大，到深度上限处用评估函数。",
    "MTD(f): nothing but null-window searches, around a guess.": "MTD(f)：围绕一个猜测值，只用零窗口搜索。",
    "Principal variation search: alpha-beta that scouts ahead with null windows.":
        "主变搜索：用零窗口探路的 α-β 剪枝。",
    "Alpha-beta, deeper and deeper, with move ordering and a transposition table.":
        "α-β 剪枝，逐层加深，带着法排序和置换表。",
    "AlphaGo as of 2016: tree search with a policy network, a value network and fast rollouts.":
        "2016 年的 AlphaGo：树搜索加策略网络、价值网络和快速模拟。",
    "MiniAlphaGo: tree search with a network that has taught itself the game.":
        "MiniAlphaGo：树搜索加自学成才的网络。",
    "The game's own engine: from a beginner to far beyond people. Of Reversi it solves the last 24 squares.":
        "这种棋专用的引擎：从初学者到远超人类。黑白棋的最后 24 格能算到底。",
    # How far players look
    "seconds a move": "每步的秒数",
    "seconds a move; 1 if no limit is set": "每步的秒数；没有任何限制时为 1",
    "seconds a move; 2 if no limit is set": "每步的秒数；没有任何限制时为 2",
    "seconds a move; if no limit is set 2, or a tenth of the referee's":
        "每步的秒数；没有任何限制时为 2，或裁判所给时间的十分之一",
    "seconds a move; if no limit is set 1 (Connect Four: 5), or a tenth of the referee's":
        "每步的秒数；没有任何限制时为 1（四子棋为 5），或裁判所给时间的十分之一",
    "seconds for all moves of a game, and for each move on top, such as 300+2":
        "整局的秒数，以及每步另加的秒数，例如 300+2",
    "positions to look at for a move": "每步查看的局面数",
    "plies to look ahead; as deep as the other limits allow if not set": "向前看的层数；不设则到其他限制为止",
    "decisions to look ahead; as deep as the other limits allow if not set": "向前看的决策数；不设则到其他限制为止",
    "plies to look ahead; a tree is searched to its leaves": "向前看的层数；树则一直搜索到叶",
    "simulations a move": "每步的模拟次数",
    "simulations a move; 400 if no limit is set": "每步的模拟次数；没有任何限制时为 400",
    "playouts a move, dealt evenly to the legal actions": "每步的模拟次数，平均分给各个合法着法",
    "nodes of the tree": "树的节点数",
    "strength from 1, a beginner, to 20; see the game's page for how many it has":
        "强度，从 1（初学者）到 20；各种棋有几级见它们的文档",
    # How they search
    "another evaluation that the game has": "这种棋的另一个评估函数",
    "another evaluation that the game has, or your own as file.py:function":
        "这种棋的另一个评估函数，或你自己的：file.py:function",
    "another evaluation that the game has, your own as file.py:function, or learned.npz":
        "这种棋的另一个评估函数，你自己的 file.py:function，或 learned.npz",
    "file of an endgame table, whose positions need no search": "残局库文件，其中的局面不必搜索",
    "which of equally good moves to play": "几个着法同样好时走哪一个",
    "which of equally good moves to play; random if not set and the order has previous, which it needs":
        "几个着法同样好时走哪一个；不设而次序含 previous 时为随机，随机必须有 previous",
    "seed of the choice between equally good moves": "在同样好的着法中选择时的随机种子",
    "who plays together, such as 0+2/1; all others against me if not set":
        "谁与谁联手，例如 0+2/1；不设则其他人都与我作对",
    "cuts at chance nodes: 0 none, 1 Star1, 2 Star2": "机会节点的剪枝：0 不剪，1 为 Star1，2 为 Star2",
    "cuts at chance nodes: 0 none, 1 Star1, 2 Star2; 2 if not set":
        "机会节点的剪枝：0 不剪，1 为 Star1，2 为 Star2；不设为 2",
    "what all utilities add up to, if always the same; 0 in zero-sum games": "所有收益之和，若总是相同；零和博弈为 0",
    "shallow pruning; on where it is sure to change no value if not set":
        "浅层剪枝；不设则只在确实不改变任何值时使用",
    "all, none, or some of evaluation+previous+killer+history":
        "all、none，或 evaluation+previous+killer+history 中的几项",
    "which moves to look at first: none, all, or some of evaluation+previous+killer":
        "先看哪些着法：none、all，或 evaluation+previous+killer 中的几项",
    "of mirror images, draw one": "互为镜像的只画一个",
    "size of the transposition table, such as 64MB": "置换表的大小，例如 64MB",
    "size of the transposition table, such as 64MB; 0 for none": "置换表的大小，例如 64MB；0 为不用",
    "let the table answer with deeper results than asked: stronger, but values change":
        "允许置换表用更深的结果回答：更强，但值会变",
    "look on along captures where the depth ends": "到深度上限后，沿吃子继续看",
    "look on along noisy moves at the depth limit": "到深度上限后，沿激烈的着法继续看",
    "look only at this many of the most promising moves; 0 for all": "只看最有希望的这么多个着法；0 为全部",
    "near window: cut when a value is within this margin of the bound; 0 for none":
        "近窗口：值与界相差在此之内就剪；0 为不用",
    "search a move deeper if all others are worse by this margin; 0 for none":
        "若其他着法都差这么多，就把这一个搜索得更深；0 为不用",
    "keep the table from move to move": "置换表逐步保留",
    "off: straight to the depth given, as is best where it reaches the end of the game":
        "off：直接搜索到指定深度；能到终局时这样最好",
    "how many of the best moves get exact values": "最好的几个着法得到精确值",
    "exploration constant: C * sqrt(ln N / n), or c * sqrt(2 ln N / n) with form=ucb1":
        "探索常数：C * sqrt(ln N / n)；form=ucb1 时为 c * sqrt(2 ln N / n)",
    "exploration constant: c * sqrt(2 ln N / n), or C * sqrt(ln N / n) with form=plain":
        "探索常数：c * sqrt(2 ln N / n)；form=plain 时为 C * sqrt(ln N / n)",
    "how the exploration term is written; root: plain with the root's N":
        "探索项的写法；root：同 plain，但 N 取根节点的",
    "how the exploration term is written: as above; root: plain with the root's N; prior: c * P / (1 + n)":
        "探索项的写法：如上；root：同 plain，但 N 取根节点的；prior：c * P / (1 + n)",
    "1, 1/2, 0 or 1, 0, -1 or the score": "胜、和、负记 1、1/2、0，或 1、0、-1，或取分差",
    "the score that counts as 1, with reward=margin": "reward=margin 时记为 1 的分差",
    "the same seed grows the same tree, on one thread": "单线程时，种子相同，树就相同",
    "highest bound, or drawn in proportion to it": "取上界最大者，或按上界的比例抽取",
    "how the move is chosen in the end": "最后怎样选出着法",
    "children added by a simulation": "一次模拟添加的子节点",
    "playouts from each new leaf": "每个新叶的模拟次数",
    "how playouts are played: by the game itself, or as people do": "模拟怎样走：由棋本身决定，或像人一样",
    "share of random moves with rollout=greedy": "rollout=greedy 时随机着法的比例",
    "moves after which the evaluation ends a playout; 0 for none": "模拟走这么多步后由评估函数收尾；0 为不用",
    "weight of all-moves-as-first statistics, such as 300; 0 switches it off":
        "RAVE（AMAF）统计的权重，例如 300；0 为关闭",
    "progressive bias: weight of the evaluation; 0 switches it off": "渐进偏置：评估函数的权重；0 为关闭",
    "progressive widening: children per sqrt(visits), best first; 0 switches it off":
        "渐进展开：每 sqrt(访问次数) 的子节点数，好的在前；0 为关闭",
    "prove wins and losses; on where the game allows it if not set": "证明胜负；不设则在规则允许时打开",
    "share what is below equal positions": "相同局面之下的部分合用",
    "keep the tree from move to move": "树逐步保留",
    "think on while the others choose": "别人选择时继续思考",
    "think on while the other side chooses": "对方选择时继续思考",
    "megabytes for the tree": "树占用的内存，MB",
    "megabytes for the tree; the least visited parts make room": "树占用的内存，MB；访问最少的部分让出位置",
    "threads": "线程数",
    "what several threads do: grow one tree, or one each": "多个线程做什么：合长一棵树，或各长一棵",
    "visits that keep other threads away": "使其他线程避开的虚拟访问次数",
    # Networks, books, seeds
    "file of a policy network, policy or reinforced for the game's own; off: no priors":
        "策略网络的文件；policy 或 reinforced 为这种棋自带的；off 为不用先验",
    "file of a value network; value: the game's own; off: none": "价值网络的文件；value 为这种棋自带的；off 为不用",
    "play a game to its end from each new leaf": "从每个新叶下到终局",
    "lambda: weight of the rollout in a leaf's value, the value network has the rest":
        "λ：模拟在叶值中的权重，其余归价值网络",
    "how rollouts are played: as people do (the default where that was learned), by the game itself, at random":
        "模拟怎样走：像人一样（学过时的默认），由棋本身决定，或随机",
    "without search: draw moves in proportion to the policy": "不搜索：按策略的比例抽取着法",
    "exploration: c * prior * sqrt(N) / (1 + n), for means from -1 to 1":
        "探索：c * 先验 * sqrt(N) / (1 + n)，均值从 -1 到 1",
    "with prior, exploration is c * prior / (1 + n), without the root":
        "prior 时探索为 c * 先验 / (1 + n)，不含根的次数",
    "positions that a network judges together": "网络一次评判的局面数",
    "empty squares from which Reversi positions are solved; 0 for none": "黑白棋空格少到多少时算到底；0 为不用",
    "threads of a network": "网络的线程数",
    "file of a network that `plyground train` has made; the game's own if not set":
        "plyground train 训练出的网络文件；不设则用这种棋自带的",
    "Reversi: play from the opening book; on if no depth, nodes or level below 13 is set":
        "黑白棋：按开局库走；没有设深度、局面数或 13 以下的级别时打开",
    "Reversi: discs that a book move may lose, for the sake of variety":
        "黑白棋：为了多变，开局库的着法可以损失的子数",
    "seed of the mistakes of weak levels, and of the choice in the book": "低级别的失误和开局库的选择所用的随机种子",
    "the same seed plays the same game": "种子相同，对局就相同",
    "the same seed searches alike": "种子相同，搜索就相同",
    # Rules of games
    "columns, 1 to 19": "列数，1 到 19",
    "rows, 1 to 19": "行数，1 到 19",
    "how many in a line win": "连成多少子获胜",
    "cells along a side, 5 to 19": "每边的格数，5 到 19",
    "cells along a side, 2 to 19": "每边的格数，2 到 19",
    "columns of the rack, at least 1": "列数，至少 1",
    "rows of the rack, at least 1": "行数，至少 1",
    "squares along a side: 4, 6 or 8": "每边的格数：4、6 或 8",
    "where to begin, as FEN has it; empty: the usual position": "开始的局面，写作 FEN；空为通常的初始局面",
    "a starting position of Chess960, 0 to 959; 518 is the usual one":
        "Chess960 的初始局面，0 到 959；518 是通常的那个",
    "the second player may take the first move over": "后手可以接管第一手",
    "rows of boxes, 1 to 7": "格子的行数，1 到 7",
    "points of the board, a multiple of 4 up to 24; a quarter is home": "棋盘的点数，4 的倍数，至多 24；四分之一是内盘",
    "men a side: 15 as usual, others one each on the furthest points": "每方的棋子数：15 枚照常，否则最远各点一枚",
    "faces of a die, 2 to 6": "骰子的面数，2 到 6",
    "with the doubling cube": "使用加倍骰",
    "gammons count only after a double (for money, with the cube)": "加倍之后才算双倍胜和三倍胜（赌分，有加倍骰时）",
    "points of a match that is played to its end, up to 25; 0: one game for money": (
        "一直打完的比赛打到多少分，至多 25；0 为一局赌分"
    ),
    "the points that both have in the match already": "双方在比赛中已有的分数",
    "the first game in which somebody needs one point has no cube": "第一次有人只差一分的那一局不用加倍骰",
    "where to begin: position ID and match ID of GNU Backgammon": "从哪里开始：GNU Backgammon 的局面编码和比赛编码",
    "columns of boxes, 1 to 7": "格子的列数，1 到 7",
    "1 to 9 piles of 1 to 99 objects": "1 到 9 堆，每堆 1 到 99 个",
    "taking the last object loses": "取走最后一个者负",
}  # fmt: skip
"""By what the game, the player or the option says; whatever is not here is shown in English."""
