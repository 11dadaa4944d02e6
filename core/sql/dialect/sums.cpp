#include "core/sql/dialect/sums.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace helio::sql {
namespace {

/// Words after which the text is no plain query, or the number of rows matters.
constexpr std::array Declined{"WITH", "UNION",  "EXCEPT", "INTERSECT", "DISTINCT", "OVER", "FILTER",  "WINDOW",  "RIGHT",
                              "FULL", "EXISTS", "VALUES", "NATURAL",   "rowid",    "oid",  "_rowid_", "INDEXED", "ALL"};
/// Functions of one row whose result depends on their arguments alone. Another function could be an aggregate.
constexpr std::array Functions{"abs",       "ceil",        "ceiling", "coalesce", "demangle",       "floor",     "format",
                               "glob",      "hex",         "ifnull",  "iif",      "instr",          "length",    "like",
                               "lower",     "ltrim",       "nullif",  "printf",   "quote",          "regexp",    "replace",
                               "round",     "rtrim",       "sign",    "substr",   "regexp_extract", "substring", "trace_dur",
                               "trace_end", "trace_start", "trim",    "typeof",   "unicode",        "upper",     "str_split"};
/// Words that may precede a parenthesis and are no functions.
constexpr std::array BeforeParenthesis{"AND",    "AS",     "BETWEEN", "BY",   "CASE",  "CAST",   "ELSE",  "GLOB",
                                       "HAVING", "IN",     "IS",      "LIKE", "ON",    "LIMIT",  "NOT",   "OR",
                                       "THEN",   "OFFSET", "USING",   "WHEN", "WHERE", "REGEXP", "SELECT"};
/// Words at the end of an expression that are no aliases.
constexpr std::array Ends{"NULL", "END", "TRUE", "FALSE", "ISNULL", "NOTNULL"};
/// Words that end the first table of FROM without being its alias.
constexpr std::array AfterTable{"JOIN",  "LEFT",  "INNER",  "CROSS", "OUTER", "ON",  "USING",
                                "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "NOT", "INDEXED"};

template <typename Names> bool contains(const Names& names, std::string_view word)
{
    return std::ranges::any_of(names, [word](const auto& name) { return areSameName(name, word); });
}

/// Rewrites one query.
class Rewriting {
public:
    Rewriting(const MappedText& query, const SumTable& table)
        : m_query(query)
        , m_table(table)
    {
        TokenReader reader(query.text());
        while (const auto token = reader.next())
            m_tokens.push_back(*token);
        while (!m_tokens.empty() && m_tokens.back().is(';'))
            m_tokens.pop_back();
    }

    std::optional<MappedText> rewrite();

private:
    const Token* at(std::size_t i) const { return i < m_tokens.size() ? &m_tokens[i] : nullptr; }
    bool isAt(std::size_t i, char punctuation) const { return at(i) && at(i)->is(punctuation); }
    bool isWordAt(std::size_t i, std::string_view word) const { return at(i) && at(i)->isWord(word); }
    bool findFrom();
    bool nameColumns();
    std::size_t readAggregate(std::size_t i);
    std::size_t readName(std::size_t i);
    std::string column(const std::string& name) const { return quotedName(m_alias) + "." + quotedName(name); }

    /// Replacement of the tokens from `first` to before `end`.
    struct Edit {
        std::size_t first = 0;
        std::size_t end = 0;
        std::string text;
    };

    const MappedText& m_query;
    const SumTable& m_table;
    std::vector<Token> m_tokens;
    std::size_t m_from = 0; ///< Index of FROM.
    std::size_t m_afterTable = 0; ///< Index behind the first table and its alias.
    std::string m_alias; ///< Name of the summed table in expressions.
    std::vector<Edit> m_edits; ///< In the order of the tokens.
    bool m_sums = false; ///< True if the query has an aggregate that the sums answer.
};

bool Rewriting::findFrom()
{
    if (!isWordAt(0, "SELECT"))
        return false;
    int depth = 0;
    for (std::size_t i = 1; i < m_tokens.size(); ++i) {
        const Token& token = m_tokens[i];
        depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
        if (token.is(';') || token.isWord("SELECT") || (token.kind == TokenKind::Word && contains(Declined, token.text)))
            return false;
        if (token.isWord("FROM") && depth == 0 && m_from == 0)
            m_from = i;
    }
    const Token* const name = at(m_from + 1);
    if (m_from == 0 || !name || !name->isName() || !contains(m_table.summed, nameIn(*name)))
        return false;
    m_alias = nameIn(*name);
    m_afterTable = m_from + 2;
    const bool hasAs = isWordAt(m_afterTable, "AS");
    const Token* const alias = at(m_afterTable + (hasAs ? 1 : 0));
    if (alias && alias->isName() && (hasAs || alias->kind == TokenKind::QuotedWord || !contains(AfterTable, alias->text))) {
        m_alias = nameIn(*alias);
        m_afterTable += hasAs ? 2 : 1;
    }
    // Another use of the table would read rows, not sums. A comma after the table joins, too.
    for (std::size_t i = m_afterTable; i < m_tokens.size(); ++i)
        if ((isWordAt(i, "JOIN") || isAt(i, ',')) && at(i + 1) && at(i + 1)->isName() && contains(m_table.summed, nameIn(*at(i + 1))))
            return false;
    return true;
}

/// Reads count(*), sum(value), total(value), avg(value), min(value) or max(value) at token `i`. Returns the index behind it; `i` if there
/// is none of them, and 0 if there is another aggregate.
std::size_t Rewriting::readAggregate(std::size_t i)
{
    static constexpr std::array Aggregates{"count", "sum", "total", "avg", "min", "max"};
    const Token& function = m_tokens[i];
    if (function.kind != TokenKind::Word || !isAt(i + 1, '(') || !contains(Aggregates, function.text))
        return i;
    const std::string name = foldedName(function.text);
    std::size_t argument = i + 2;
    if (name == "count" && isAt(argument, '*') && isAt(argument + 1, ')')) {
        m_edits.push_back({i, argument + 2, "ifnull(sum(" + column(m_table.count) + "), 0)"});
        m_sums = true;
        return argument + 2;
    }
    if (at(argument) && at(argument)->isName() && areSameName(nameIn(*at(argument)), m_alias) && isAt(argument + 1, '.'))
        argument += 2;
    if (!at(argument) || !at(argument)->isName() || !areSameName(nameIn(*at(argument)), m_table.value) || !isAt(argument + 1, ')')
        || name == "count") {
        // min() and max() of several values are no aggregates, and look at no other row.
        return 0;
    }
    std::string text;
    if (name == "sum" || name == "total")
        text = name + "(" + column(m_table.total) + ")";
    else if (name == "avg")
        text = "(CAST(sum(" + column(m_table.total) + ") AS REAL) / sum(" + column(m_table.count) + "))";
    else
        text = name + "(" + column(name == "min" ? m_table.least : m_table.most) + ")";
    m_edits.push_back({i, argument + 2, text});
    m_sums = true;
    return argument + 2;
}

/// Reads a name, e.g. `a` or `t.a`, at token `i`. Returns the index behind it; 0 if it is a column of the summed table that has no sums, or
/// a function that may need each row.
std::size_t Rewriting::readName(std::size_t i)
{
    const auto hasNoSums = [this](const std::string& name) { return contains(m_table.others, name); };
    const std::string name = nameIn(m_tokens[i]);
    if (isAt(i + 1, '(') && !contains(Functions, name) && !contains(BeforeParenthesis, name))
        return 0;
    if (!isAt(i + 1, '.')) {
        // A column of the sums alone could be meant as an alias or a column of another table.
        const bool isOfSums = contains(std::array{m_table.count, m_table.total, m_table.least, m_table.most}, name);
        return hasNoSums(name) || isOfSums ? 0 : i + 1;
    }
    if (!at(i + 2) || !at(i + 2)->isName())
        return 0; // `t.*`
    return areSameName(name, m_alias) && !contains(m_table.groups, nameIn(*at(i + 2))) ? 0 : i + 3;
}

/// Gives the columns of the result without a name the one that SQLite would take from their text. Returns false for `*`.
bool Rewriting::nameColumns()
{
    std::size_t first = 1;
    int depth = 0;
    for (std::size_t i = 1; i <= m_from; ++i) {
        depth += isAt(i, '(') ? 1 : isAt(i, ')') ? -1 : 0;
        if (i < m_from && (depth > 0 || !isAt(i, ',')))
            continue;
        if (i == first || (i == first + 1 && isAt(first, '*')))
            return false;
        const auto edited = std::ranges::find_if(m_edits, [&](const Edit& it) { return it.first >= first && it.end <= i; });
        // An alias is a name that follows an operand: another name, a literal or a closing parenthesis.
        const Token& last = m_tokens[i - 1];
        const Token* const before = i - 1 > first ? &m_tokens[i - 2] : nullptr;
        const bool mayBeAlias = last.isName() || last.text.front() == '\'';
        const bool isAliased =
            before && mayBeAlias && (before->isWord("AS") || before->is(')') || before->kind == TokenKind::Literal || before->isName());
        if (edited != m_edits.end() && last.kind == TokenKind::Word && contains(Ends, last.text))
            return false;
        if (edited != m_edits.end() && !isAliased) {
            const std::size_t begin = m_tokens[first].begin;
            const auto behind = std::ranges::find_if(m_edits, [&](const Edit& it) { return it.first >= i; });
            m_edits.insert(behind, {i, i, " AS " + quotedName(m_query.text().substr(begin, last.end() - begin)) + " "});
        }
        first = i + 1;
    }
    return true;
}

std::optional<MappedText> Rewriting::rewrite()
{
    constexpr std::size_t MostTokens = 2'000; // The time grows with the square of the number of edits.
    if (m_tokens.size() > MostTokens || !findFrom())
        return {};
    bool isInWhere = false;
    for (std::size_t i = 1; i < m_tokens.size();) {
        if (i == m_from) {
            m_edits.push_back({m_from + 1, m_afterTable, quotedName(m_table.sums) + " AS " + quotedName(m_alias)});
            i = m_afterTable;
            continue;
        }
        const Token& token = m_tokens[i];
        if (token.isWord("WHERE"))
            isInWhere = true;
        else if (token.isWord("GROUP") || token.isWord("ORDER"))
            isInWhere = false;
        if (!token.isName()) {
            ++i;
            continue;
        }
        const std::size_t behindAggregate = readAggregate(i);
        if (behindAggregate == 0)
            return {};
        if (behindAggregate != i) {
            i = behindAggregate;
            continue;
        }
        if (isWordAt(i, "AS")) { // An alias or a type follows.
            i += 2;
            continue;
        }
        // A condition on the track is answered sooner by the rows of that track.
        if (isInWhere && areSameName(nameIn(token), m_table.groups.front()))
            return {};
        i = readName(i);
        if (i == 0)
            return {};
    }
    if (!m_sums || !nameColumns())
        return {};
    MappedText out;
    std::size_t copied = 0;
    for (const Edit& edit : m_edits) {
        const std::size_t begin = edit.first < m_tokens.size() ? m_tokens[edit.first].begin : m_query.text().size();
        const std::size_t end = edit.end == edit.first ? begin : m_tokens[edit.end - 1].end();
        out.append(m_query.part(copied, begin));
        out.appendMade(edit.text, m_query.origin(begin));
        copied = end;
    }
    out.append(m_query.part(copied, m_query.text().size()));
    return out;
}

} // namespace

std::optional<MappedText> useSums(const MappedText& query, const SumTable& table) { return Rewriting(query, table).rewrite(); }

} // namespace helio::sql
