#include "core/sql/completion.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace helio::sql {
namespace {

using Kind = FittingName::Kind;

constexpr std::string_view Keywords[] = {"SELECT",      "FROM",         "WHERE",     "AND",       "OR",        "NOT",
                                         "NULL",        "IS",           "IN",        "AS",        "ON",        "USING",
                                         "JOIN",        "LEFT",         "INNER",     "CROSS",     "OUTER",     "FULL",
                                         "NATURAL",     "GROUP",        "BY",        "ORDER",     "HAVING",    "LIMIT",
                                         "OFFSET",      "DISTINCT",     "UNION",     "ALL",       "EXCEPT",    "INTERSECT",
                                         "CASE",        "WHEN",         "THEN",      "ELSE",      "END",       "BETWEEN",
                                         "LIKE",        "GLOB",         "REGEXP",    "ESCAPE",    "EXISTS",    "CAST",
                                         "WITH",        "RECURSIVE",    "VALUES",    "CREATE",    "VIEW",      "TABLE",
                                         "VIRTUAL",     "TEMP",         "INDEX",     "DROP",      "REPLACE",   "IF",
                                         "DESC",        "ASC",          "OVER",      "PARTITION", "ROWS",      "RANGE",
                                         "PRECEDING",   "FOLLOWING",    "CURRENT",   "ROW",       "UNBOUNDED", "WINDOW",
                                         "FILTER",      "COLLATE",      "INSERT",    "INTO",      "UPDATE",    "SET",
                                         "DELETE",      "EXPLAIN",      "QUERY",     "PLAN",      "NULLS",     "FIRST",
                                         "LAST",        "MATERIALIZED", "SPAN_JOIN", "INTEGER",   "REAL",      "SPAN_LEFT_JOIN",
                                         "TEXT",        "PERFETTO",     "FUNCTION",  "MACRO",     "RETURNS",   "SPAN_OUTER_JOIN",
                                         "PARTITIONED", "INCLUDE",      "MODULE"};

bool isPartOfWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t beginOfWord(std::string_view text, std::size_t position, bool withDots)
{
    while (position > 0 && (isPartOfWord(text[position - 1]) || (withDots && text[position - 1] == '.')))
        --position;
    return position;
}

/// True if a text without tokens ends within a comment.
bool endsInComment(std::string_view blanks)
{
    while (!blanks.empty()) {
        const bool isLine = blanks.starts_with("--");
        if (!isLine && !blanks.starts_with("/*")) {
            blanks.remove_prefix(1);
            continue;
        }
        const std::string_view mark = isLine ? "\n" : "*/";
        const std::size_t end = blanks.find(mark, 2);
        if (end == std::string_view::npos)
            return true;
        blanks.remove_prefix(end + mark.size());
    }
    return false;
}

const SchemaTable* tableNamed(const Schema& schema, std::string_view name)
{
    const auto found = std::ranges::find_if(schema.tables, [name](const SchemaTable& it) { return areSameName(it.name, name); });
    return found != schema.tables.end() ? &*found : nullptr;
}

/// A table that a statement reads, with its alias, or its own name.
struct UsedTable {
    std::string alias;
    const SchemaTable* table = nullptr;
};

/// The statement around a position.
class StatementAt {
public:
    StatementAt(std::string_view text, std::size_t position)
        : m_text(text)
        , m_position(position)
    {
        TokenReader reader(text);
        while (const auto token = reader.next()) {
            if (!token->is(';')) {
                m_tokens.push_back(*token);
                continue;
            }
            if (token->begin >= position)
                break;
            m_tokens.clear();
        }
    }

    /// Returns the token number `n` before an offset, from 1; nullptr if there is none.
    const Token* before(std::size_t offset, std::size_t n) const
    {
        const auto end = std::ranges::lower_bound(m_tokens, offset, {}, &Token::begin) - m_tokens.begin();
        return static_cast<std::size_t>(end) >= n ? &m_tokens[static_cast<std::size_t>(end) - n] : nullptr;
    }

    /// True if the position is in a comment or in a text.
    bool isInside() const
    {
        const Token* const last = before(m_position, 1);
        if (last && m_position < last->end())
            return last->text.front() == '\'';
        const std::size_t end = last ? last->end() : 0;
        const bool isOpen = last && last->text.front() == '\'' && (last->text.size() == 1 || last->text.back() != '\'');
        return isOpen || endsInComment(m_text.substr(end, m_position - end));
    }

    /// Returns the tables after FROM, JOIN and commas.
    std::vector<UsedTable> tables(const Schema& schema) const
    {
        std::vector<UsedTable> used;
        bool isInFrom = false;
        for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
            const Token& token = m_tokens[i];
            const bool begins = token.isWord("FROM") || token.isWord("JOIN");
            constexpr std::array Ends{"WHERE", "GROUP", "ORDER", "SELECT", "ON", "USING", "LIMIT"};
            isInFrom = begins || (isInFrom && std::ranges::none_of(Ends, [&](const char* word) { return token.isWord(word); }));
            if (!begins && !(isInFrom && token.is(',')))
                continue;
            const Token& name = m_tokens[i + 1];
            const SchemaTable* const table = name.isName() ? tableNamed(schema, nameIn(name)) : nullptr;
            if (!table)
                continue;
            std::size_t next = i + 2;
            next += next < m_tokens.size() && m_tokens[next].isWord("AS") ? 1 : 0;
            const Token* const alias = next < m_tokens.size() && m_tokens[next].isName() ? &m_tokens[next] : nullptr;
            const bool isAlias = alias && !(alias->kind == TokenKind::Word && isKeyword(alias->text));
            used.push_back({nameIn(isAlias ? *alias : name), table});
        }
        return used;
    }

private:
    std::string_view m_text;
    std::size_t m_position;
    std::vector<Token> m_tokens;
};

/// Collects the names that contain a word.
class NameCollector {
public:
    explicit NameCollector(std::string_view word)
        : m_word(foldedName(word))
    {
    }

    void add(FittingName name)
    {
        const std::size_t at = foldedName(name.name).find(m_word);
        if (at != std::string::npos)
            (at == 0 ? m_begun : m_others).push_back(std::move(name));
    }
    void addColumns(const SchemaTable& table)
    {
        for (const SchemaColumn& column : table.columns)
            add({Kind::Column, column.name, &table, &column});
    }
    /// Adds the columns of a table that no table before has.
    void addNewColumns(const SchemaTable& table)
    {
        for (const SchemaColumn& column : table.columns)
            if (m_columns.insert(foldedName(column.name)).second)
                add({Kind::Column, column.name, &table, &column});
    }

    std::vector<FittingName> take()
    {
        std::ranges::move(m_others, std::back_inserter(m_begun));
        return std::move(m_begun);
    }

private:
    std::string m_word;
    std::set<std::string> m_columns; ///< Folded names of the columns that addNewColumns() added.
    std::vector<FittingName> m_begun;
    std::vector<FittingName> m_others;
};

void addUnqualified(const StatementAt& statement, const Token* before, const Schema& schema, NameCollector& names)
{
    const bool isTablePlace = before && (before->isWord("FROM") || before->isWord("JOIN"));
    const std::vector<UsedTable> used = statement.tables(schema);
    if (!isTablePlace)
        for (const UsedTable& it : used)
            names.addNewColumns(*it.table);
    if (!isTablePlace && used.empty())
        for (const SchemaTable& table : schema.tables)
            names.addNewColumns(table);
    for (const SchemaTable& table : schema.tables)
        names.add({Kind::Table, table.name, &table});
    for (const std::string& function : schema.functions)
        names.add({Kind::Function, function});
    if (!isTablePlace)
        for (const std::string_view keyword : Keywords)
            names.add({Kind::Keyword, std::string(keyword)});
}

} // namespace

bool isKeyword(std::string_view word)
{
    return std::ranges::any_of(Keywords, [word](std::string_view it) { return areSameName(it, word); });
}

FittingNames findFittingNames(std::string_view text, std::size_t position, const Schema& schema)
{
    position = std::min(position, text.size());
    const StatementAt statement(text, position);
    FittingNames found;
    const std::size_t path = beginOfWord(text, position, true);
    const auto isBefore = [&](std::size_t n, std::string_view word) {
        const Token* const token = statement.before(path, n);
        return token && token->isWord(word);
    };
    const bool isModule = isBefore(1, "MODULE") && isBefore(2, "PERFETTO") && isBefore(3, "INCLUDE");
    found.begin = isModule ? path : beginOfWord(text, position, false);
    const std::string_view word = text.substr(found.begin, position - found.begin);
    if (statement.isInside() || (!word.empty() && word.front() >= '0' && word.front() <= '9'))
        return found;
    NameCollector names(word);
    const Token* const before = statement.before(found.begin, 1);
    const Token* const owner = statement.before(found.begin, 2);
    found.isQualified = isModule || (before && owner && before->is('.') && before->end() == found.begin);
    if (isModule) {
        for (const std::string& module : schema.modules)
            names.add({Kind::Module, module});
    } else if (found.isQualified) {
        const auto used = statement.tables(schema);
        const auto named = std::ranges::find_if(used, [&](const UsedTable& it) { return areSameName(it.alias, nameIn(*owner)); });
        if (const SchemaTable* const table = named != used.end() ? named->table : tableNamed(schema, nameIn(*owner)))
            names.addColumns(*table);
    } else {
        addUnqualified(statement, before, schema, names);
    }
    found.names = names.take();
    return found;
}

} // namespace helio::sql
