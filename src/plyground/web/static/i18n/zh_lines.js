// What the server says in English of a wish that it cannot serve, in Chinese: its lines by their form.
//
//   chineseLine("move 2: 'zz' is not legal here; legal: f4, d6")   "第 2 步：zz 在这里不合法；合法的有：f4, d6"
//                                                          null for a line of another form: it is shown as it is
//
// Groups are put in as they are, "$1"; those of "§1" are lines themselves, or words of WORDS.
// Only those who read Chinese load this file.

const WORDS = {
  "a draw": "和棋", agent: "智能体", black: "黑方", Black: "黑方", characters: "个字符", columns: "列", game: "游戏", integer: "整数", mate: "将死",
  method: "分法", number: "数", "on|off": "on 或 off", player: "棋手", policy: "策略", rows: "行", squares: "个格子", stalemate: "逼和",
  strategy: "策略", text: "文字", "tree or game": "树或游戏", white: "白方", White: "白方", none: "没有",
};

const ENDS = [
  ["; did you mean '(.*)'\\?", "；你要的是不是 $1？"],
  ["; there are: (.*)", "；可用的有：$1"],
  ["; it has: (.*)", "；可用的有：§1"],
  ["; there are none", "；这里一个也没有"],
  ["; it has none", "；它没有选项"],
  ["; legal: none, the game is over", "；对局已经结束"],
  ["; legal: (.*)", "；合法的有：$1"],
  ["; squares are a1 to h8, a pass is pa", "；格子是 a1 到 h8，停一手写 pa"],
  ["; write (\\S+)", "；写法：$1"],
  ["; use (.*) instead", "；可以改用 $1"],
  ["; no player here can play it", "；这里没有能下它的棋手"],
  ["; brackets come in pairs", "；括号要成对"],
];

const LINES = [
  // Moves and games
  ["move (\\d+): (.*)", "第 $1 步：§2"],
  ["move (\\d+)\\. (.*)", "第 $1 步：§2"],
  ["'(.*)' is not legal here", "$1 在这里不合法"],
  ["'(.*)' is not an action", "$1 不是着法"],
  ["'(.*)' is not a square", "$1 不是格子"],
  ["(\\w+) flips nothing for (black|white)", "$1 不能为§2翻转任何棋子"],
  ["(\\w+) is occupied", "$1 已经有子"],
  ["(\\w+) comes after the end of the game", "$1 之前对局已经结束"],
  ["(black|white) passes, but has a move: (.*)", "§1停一手，却有子可下：$2"],
  ["(black|white) must pass, and (\\w+) flips nothing for (black|white) either", "§1必须停一手，而 $2 也不能为§3翻转任何棋子"],
  ["'(.*)' cannot be played: the game is over", "$1 不能走：对局已经结束"],
  ["'(.*)' can mean (.*); name one of them", "$1 有几种读法：$2；请写明是哪一个"],
  ["'(.*)' is not a move; write it as (.*), or with both squares, such as (.*)", "$1 不是着法；请写成 $2，或者写出两个格子，例如 $3"],
  ["a swap is legal only as the second player's first move.*", "只有后手的第一步可以交换"],
  ["a pass is legal only when there is no other move", "没有别的着法时才能停一手"],
  ["a text of moves has at most ([\\d,]+) characters", "着法最多 $1 个字符"],
  ["there is no move to explain yet: play one first", "还没有可以讲解的着法：请先走一步"],
  ["the game is over: there is nothing to search", "对局已经结束，没有可以搜索的"],
  ["there is no game in this text, only positions; ask for hints instead", "这段文字里只有局面，没有对局"],
  ["there is no game and no position in this text", "这段文字里没有对局，也没有局面"],
  ["'(.*)' is not the beginning of a game or a position; known are .*",
    "“$1”不像对局或局面的开头；认得的有：黑白棋的棋谱（f5d6c3）、棋盘（64 个格子加轮到谁）、OBF、GGF（(;GM[Othello]...;)）和 WTHOR，国际象棋的 PGN、EPD 和 FEN"],
  ["this is neither text nor a whole WTHOR file; known are .*",
    "这不是文字，也不是完整的 WTHOR 文件；认得的有：黑白棋的棋谱、棋盘、OBF、GGF 和 WTHOR，国际象棋的 PGN、EPD 和 FEN"],
  ["this is chess, and games or positions of Reversi are wanted here", "这是国际象棋，而这里要的是黑白棋的对局或局面"],
  ["this is Reversi, and games or positions of chess are wanted here: (.*)", "这是黑白棋，而这里要的是国际象棋的对局或局面：$1"],
  ["'(.*)' is neither a move nor a comment", "“$1”既不是着法也不是注释"],
  ["'(.*)' is not a mark of a move", "“$1”不是着法的评注符号"],
  ["a \\) closes no variation", "多了一个 )"],
  ["a variation stands before the first move", "变化写在了第一步之前"],
  ["a variation has at least one move", "变化里至少要有一步"],
  ["the variant '(.*)' is not chess; Chess960 is", "变体“$1”不是国际象棋；Chess960 可以"],
  ["the game is '(.*)', not Othello", "这是“$1”，不是 Othello"],
  ["(\\w+) is there twice.*", "$1 写了两次"],
  // Boards
  ["'(.*)' at (\\w+) is neither a disc nor empty; black is (.*), white (.*), empty (.*)", "$2 上的 $1 既不是棋子也不是空格；黑子写 $3，白子写 $4，空格写 $5"],
  ["the side to move is missing; write X \\(black\\) or O \\(white\\) after the 64 squares", "没有写轮到谁；请在 64 个格子之后写 X（黑）或 O（白）"],
  ["a board has 64 squares and then the side to move; here are (\\d+) (squares|characters)", "棋盘是 64 个格子，然后是轮到谁；这里有 $1 §2"],
  ["the side to move must be X \\(black\\) or O \\(white\\), not '(.*)'", "轮到谁只能写 X（黑）或 O（白），不能是 $1"],
  ["a square has a black disc and a white one", "有一格既有黑子又有白子"],
  ["the board has no discs", "棋盘上没有棋子"],
  ["neither side can move on this board: there is nothing to play", "双方在这个棋盘上都无子可下，没有可以下的棋"],
  ["this position is the end of a game, neither side has the pieces to mate: there is nothing to play", "这个局面已是终局：双方都没有足以将死的子力"],
  ["this position is the end of a game, (.*): there is nothing to play", "这个局面已是终局（§1），没有可以下的棋"],
  ["a board can be set up for (.*), not for (.*)", "只有 8x8 的黑白棋和国际象棋可以摆局面，$2 不行"],
  ["chess: (.*)", "国际象棋：§1"],
  ["'(.*)' is not a position in FEN: (.*)", "“$1”不是 FEN 局面：§2"],
  ["it needs the board, w or b, castling, en passant, and two numbers that may be left out", "要有棋盘、w 或 b、易位、吃过路兵，以及可以省略的两个数"],
  ["the side to move must be w or b, not (.*)", "轮到谁只能写 w 或 b，不能是 $1"],
  ["(White|Black) is in check, and it is the other side's turn", "§1被将军，却轮到对方走"],
  ["the board must have 8 ranks with / between them, not (\\d+)", "棋盘要有 8 行，用 / 隔开，这里是 $1 行"],
  ["rank (\\d) must be written with (.*) and 1 to 8, not (.*)", "第 $1 行只能写 $2 和 1 到 8，不能有 $3"],
  ["rank (\\d) must have 8 squares, not (\\d+)", "第 $1 行要有 8 格，这里是 $2 格"],
  ["(White|Black) must have one king, not (\\d+)", "§1要有一个王，这里是 $2 个"],
  ["(White|Black) has a pawn on the first or last rank", "§1有兵在第一行或最后一行"],
  ["(White|Black) has more pieces than eight pawns can become", "§1的子比八个兵能升变出来的还多"],
  ["castling must be some of KQkq, or -, not (.*)", "易位只能写 KQkq 中的几个，或 -，不能是 $1"],
  ["castling (\\w) needs the king on (\\w+) and a rook on (\\w+)", "易位 $1 需要王在 $2、车在 $3"],
  ["castling (\\w) needs king and rook on the first rank of their side", "易位 $1 需要王和车在己方的第一行"],
  ["castling (\\w+) names one side of the board twice", "易位 $1 把同一边写了两次"],
  ["en passant must be - or a square on rank (\\d), not (.*)", "吃过路兵只能写 - 或第 $1 行的格子，不能是 $2"],
  ["no pawn can have gone two steps over (\\w+)", "不可能有兵走两格越过 $1"],
  // Names and options
  ["there is no (\\w+|tree or game) '(.*)'(?: here)?", "没有叫“$2”的§1"],
  ["the (game|player|policy) '(.*)' has no option '(.*)'", "§1 $2 没有选项“$3”"],
  ["the (game|player|policy) '(.*)' needs the option '(.*)' \\((.*)\\)", "§1 $2 必须给出选项“$3”（§4）"],
  ["'(.*)' names nothing", "“$1”没有写名称"],
  ["'(.*)' gives the option '(.*)' twice", "“$1”把选项“$2”写了两次"],
  ["'(.*)' in '(.*)' is not option=value", "“$2”里的“$1”不是“选项=值”"],
  ["(\\w+): (\\w+) must be of the form (integer|number|on\\|off|text), not '(.*)'", "$1：$2 应是§3，而不是“$4”"],
  ["(.*) must be of the form (integer|number|on\\|off|text), not '(.*)'", "$1 应是§2，而不是“$3”"],
  ["(.*) must be of the form (.*), not '(.*)'", "$1 的写法应是 $2，而不是“$3”"],
  ["time must be a positive number of seconds up to (.*), not (.*)", "time 应是大于 0 的秒数，最多 $1，而不是 $2"],
  ["hex: size must be (\\d+) to (\\d+), not (.*)", "hex：size 应在 $1 到 $2 之间，而不是 $3"],
  ["reversi: size must be (.*) or (.*), not (.*)", "reversi：size 应是 $1 或 $2，而不是 $3"],
  ["nim: piles must be 1 to 9 numbers from 1 to 99, not (.*)", "nim：piles 应是 1 到 9 个 1 到 99 之间的数，而不是 $1"],
  ["mnk: k must be 1 to (\\d+) on a board of (\\d+) columns and (\\d+) rows, not (.*)", "mnk：棋盘 $2 列 $3 行时，k 应在 1 到 $1 之间，而不是 $4"],
  ["(\\w+): (\\w+) must be (?:from )?(\\d+) to (\\d+), not (.*)", "$1：$2 应在 $3 到 $4 之间，而不是 $5"],
  ["(\\w+) must be at least (\\d+), not (.*)", "$1 至少为 $2，而不是 $3"],
  ["(.*) must be from (\\S+) to (\\S+), not (.*)", "$1 应在 $2 到 $3 之间，而不是 $4"],
  ["(\\w+): (\\w+) may be at most (\\S+?)(?: here)?(?:, not (.*))?", "$1：$2 在这里最多为 $3"],
  ["(\\w+): (\\w+): files of the server cannot be named here", "$1：选项 $2 在这里不能指定服务器上的文件"],
  ["(\\w+): \\w+: thinking while the other side chooses is not for the app", "$1：这里不能在对方的时间里思考"],
  ["(\\w+): \\w+: set the clock of the game instead", "$1：请改设对局的计时"],
  ["(?:\\w+: )?(.*) has no evaluation '(.*)'", "$1 没有叫“$2”的评估函数"],
  ["a person has no options", "人没有选项"],
  ["a spec has at most (\\d+) characters", "写法最多 $1 个字符"],
  ["a spec is written in plain letters, such as (.*)", "请用普通字母书写，例如 $1"],
  ["(.*) cannot play ([^:]*): (.*)", "$1 不能下 $2：§3"],
  ["players move at the same time \\(.*\\)", "各方同时行动"],
  ["players do not see everything \\(.*\\)", "各方看不到全部"],
  ["everything is seen \\(.*\\)", "这种游戏没有隐藏的信息"],
  ["chance has moves \\(.*\\)", "游戏里有随机事件"],
  ["one side's gain is not the other's loss \\(.*\\)", "不是零和博弈"],
  ["it is for (\\w+).*", "它只会下 $1"],
  ["no networks? for it (?:is|are) bundled \\(.*\\)", "没有附带这种棋的网络"],
  ["(.*) cannot be analysed: it needs .*", "$1 不能分析"],
  ["(.*) has (\\d+) seats, not (\\d+); give a player for each", "$1 有 $2 方，这里给了 $3 方"],
  // Trees and searches to watch
  ["column (\\d+): (.*)", "第 $1 列：§2"],
  ["'(.*)' is not a tree: write one in brackets, such as (.*)", "“$1”不是树：请用括号书写，例如 $2"],
  ["'(.*)' stands behind the last bracket of the tree", "“$1”在最后一个括号之后"],
  ["'(.*)' is closed by '(.*)'", "$1 用 $2 结束"],
  ["a node needs at least one child, and (.*) has none", "节点至少要有一个子节点，而 $1 没有"],
  ["a leaf is a number, such as -2.5, not '(.*)'", "叶是数，例如 -2.5，而不是“$1”"],
  ["the tree has more than ([\\d,]+) nodes", "这棵树超过 $1 个节点"],
  ["a bracket is never closed; write (.*) at the end", "有括号没有结束；请在末尾写 $1"],
  ["at most ([\\d,]+) simulations can be watched, not ([\\d,]+)", "最多观看 $1 次模拟，而不是 $2 次"],
  ["at most (\\d+) simulations can be shown step by step, not (.*)", "最多逐步显示 $1 次模拟，而不是 $2 次"],
  // Bandits, matrix games, cakes and caves
  ["'(.*)' is not an arm's mean; write numbers, such as (.*)", "“$1”不是臂的均值；请写数，例如 $2"],
  ["write random: and a number of arms from 1 to (\\d+), not '(.*)'", "random: 后面写臂数，1 到 $1，而不是“$2”"],
  ["a bandit has 1 to (\\d+) arms, not (\\d+); write their means, such as (.*)", "应有 1 到 $1 个臂，这里有 $2 个；请写它们的均值，例如 $3"],
  ["arm (\\d+) must pay with a probability from 0 to 1, not (.*)", "第 $1 个臂的中奖概率应在 0 到 1 之间，而不是 $2"],
  ["a policy's name is missing in '(.*)'; write them like (.*)", "“$1”里缺少策略名；写法如 $2"],
  ["the policy '(.*)' is given twice", "策略 $1 写了两次"],
  ["this is more than the app measures at once; take fewer pulls, runs or policies", "一次测不了这么多；请减少拉动次数、重复次数或策略"],
  ["line (\\d+), column (\\d+): (.*)", "第 $1 行第 $2 列：§3"],
  ["line (\\d+): (.*)", "第 $1 行：§2"],
  ["game (\\d+): (.*)", "第 $1 局：§2"],
  ["'(.*)' is not a payoff; write numbers such as (.*)", "“$1”不是收益；请写数，例如 $2"],
  ["there are no payoffs; a game is rows of cells, such as (.*)", "没有收益；博弈是一行行的格子，例如 $1"],
  ["a row without payoffs; the names of the columns come once, at the top", "这一行没有收益；各列的名字只在最上面写一次"],
  ["some cells have one number and some two; write all of them alike", "有的格子一个数，有的两个；请统一写法"],
  ["this row has (\\d+) cells?, the first one has (\\d+)", "这一行有 $1 格，第一行有 $2 格"],
  ["either every row has a name or none has one", "要么每行都有名字，要么都没有"],
  ["a player may have at most (\\d+) strategies(?:, not .*)?", "一方最多 $1 个策略"],
  ["'(.*)' is not a number; (?:a name like it must be in quotes|a fraction has no decimal point)", "“$1”不是数"],
  ["'(.*)' is neither a payoff, such as (.*), nor a name", "“$1”既不是收益（例如 $2），也不是名字"],
  ["there is no setting '(.*)'", "没有叫“$1”的设置"],
  ["the app shows games of up to (\\d+) strategies a side; plyground matrix takes larger ones", "这里每方最多 $1 个策略；更大的请用命令 plyground matrix"],
  ["a tournament needs at least two strategies", "至少选两个策略"],
  ["([^,]*), value (\\d+): '(.*)' is not a number from 0 up, such as (.*)", "$1 的第 $2 个值：“$3”不是从 0 起的数，例如 $4"],
  ["([^,]*), value (\\d+): '(.*)' divides by zero", "$1 的第 $2 个值：“$3”除以零"],
  ["(.*): write 1 to (\\d+) values, such as (.*)", "$1：请写 1 到 $2 个值，例如 $3"],
  ["(.*): the cake must be worth something; write at least one number that is not 0", "$1：蛋糕总得有价值，至少写一个不是 0 的数"],
  ["(.*) is for (\\d+) people, not (\\d+)", "$1 用于 $2 个人，而不是 $3 个"],
  ["a cake is for 1 to (\\d+) people, not (\\d+)", "蛋糕可以分给 1 到 $1 个人，而不是 $2 个"],
  ["two people must not have the same name", "两个人不能同名"],
  ["no world of this kind has gold that can be reached; let pits be less likely", "这样的洞穴里没有一个能拿到金子；请降低陷阱概率"],
  ["a cave has 1 to (\\d+) squares each way and at least 2 in all, not (.*)", "洞穴每边 1 到 $1 格，至少共 2 格，而不是 $2"],
  // Tournaments
  ["a tournament here has at most ([\\d,]+) games, not ([\\d,]+)", "一场比赛最多 $1 局，这里是 $2 局"],
  ["rounds are for swiss; with the other kinds games says how often players meet", "只有瑞士制有轮数；其他赛制由局数决定"],
  // Numbers in forms
  ["(.*): input should be (?:a valid (?:integer|number)).*", "$1：请填一个数"],
  ["(.*): input should be greater than or equal to (.*)", "$1：至少为 $2"],
  ["(.*): input should be less than or equal to (.*)", "$1：最多为 $2"],
  ["(.*): input should be greater than (.*)", "$1：应大于 $2"],
  ["(.*): input should be less than (.*)", "$1：应小于 $2"],
  ["(.*): input should be (.*)", "$1：只能是 $2"],
  ["(.*): (?:list|tuple) should have at least (\\d+) items? after validation, not (\\d+)", "$1：至少 $2 项，这里是 $3 项"],
  ["(.*): (?:list|tuple) should have at most (\\d+) items? after validation, not (.*)", "$1：最多 $2 项，这里是 $3 项"],
  ["(.*): string should have at most (\\d+) characters?", "$1：最多 $2 个字符"],
  ["(.*): string should have at least (\\d+) characters?", "$1：至少 $2 个字符"],
  ["(.*): field required", "缺少 $1"],
];

const compiled = (rules, front) => rules.map(([form, words]) => [new RegExp(`${front}${form}$`, "su"), words]);
const ends = compiled(ENDS, "");
const lines = compiled(LINES, "^");

// Null if a part that is a line itself has another form.
function filled(words, found) {
  let whole = true;
  const inner = (_, place) => {
    const part = WORDS[found[place]] ?? chineseLine(found[place]) ?? found[place];
    whole &&= part !== found[place] || !part.includes(" ");
    return part;
  };
  const text = words.replace(/§(\d)/g, inner).replace(/\$(\d)/g, (_, place) => found[place] ?? "");
  return whole ? text : null;
}

export function chineseLine(line) {
  for (const [form, words] of lines) {
    const found = form.exec(line);
    // What stands behind a name belongs to another rule if it is an end.
    const text = found && !found.slice(1).some((part) => ends.some(([end]) => part && end.test(part))) && filled(words, found);
    if (text) return text;
  }
  for (const [form, words] of ends) {
    const found = form.exec(line);
    const front = found && chineseLine(line.slice(0, found.index));
    const end = front && filled(words, found);
    if (end) return front + end;
  }
  return null;
}
