#include "app/cli/sql/prompt_completion.h"

#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace helio {
namespace {

constexpr std::array Keywords{"ALL",
                              "AND",
                              "AS",
                              "ASC",
                              "BETWEEN",
                              "BY",
                              "CASE",
                              "CAST",
                              "COLLATE",
                              "CREATE",
                              "CROSS",
                              "DELETE",
                              "DESC",
                              "DISTINCT",
                              "DROP",
                              "ELSE",
                              "END",
                              "EXCEPT",
                              "EXISTS",
                              "EXPLAIN",
                              "FILTER",
                              "FROM",
                              "FUNCTION",
                              "GLOB",
                              "GROUP",
                              "HAVING",
                              "IF",
                              "IN",
                              "INCLUDE",
                              "INDEX",
                              "INSERT",
                              "INTERSECT",
                              "INTO",
                              "IS",
                              "JOIN",
                              "LEFT",
                              "LIKE",
                              "LIMIT",
                              "MACRO",
                              "MODULE",
                              "NOT",
                              "NULL",
                              "OFFSET",
                              "ON",
                              "OR",
                              "ORDER",
                              "OUTER",
                              "OVER",
                              "PARTITION",
                              "PARTITIONED",
                              "PERFETTO",
                              "RECURSIVE",
                              "REGEXP",
                              "REPLACE",
                              "RETURNS",
                              "SELECT",
                              "SPAN_JOIN",
                              "SPAN_LEFT_JOIN",
                              "SPAN_OUTER_JOIN",
                              "TABLE",
                              "THEN",
                              "UNION",
                              "USING",
                              "VALUES",
                              "VIEW",
                              "VIRTUAL",
                              "WHEN",
                              "WHERE",
                              "WITH"};

constexpr std::array Commands{".exit", ".explain", ".functions", ".help", ".modules", ".quit", ".schema", ".tables", ".timer"};

bool isKeyword(std::string_view word)
{
    return std::ranges::any_of(Keywords, [word](const char* it) { return sql::areSameName(it, word); });
}

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t beginOfWord(std::string_view line, bool withDots)
{
    std::size_t begin = line.size();
    while (begin > 0 && (isWordPart(line[begin - 1]) || (withDots && line[begin - 1] == '.')))
        --begin;
    return begin;
}

bool beginsWith(std::string_view text, std::string_view begin)
{
    return text.size() >= begin.size() && sql::areSameName(text.substr(0, begin.size()), begin);
}

/// Candidates that begin with a word.
class Candidates {
public:
    explicit Candidates(std::string_view word)
        : m_word(word)
    {
    }
    void add(const std::string& text)
    {
        if (beginsWith(text, m_word))
            m_found.insert(text);
    }
    /// Adds a keyword in the case of the word.
    void addKeyword(std::string text)
    {
        const bool isLower = !m_word.empty() && m_word.front() >= 'a' && m_word.front() <= 'z';
        add(isLower ? sql::foldedName(text) : text);
    }
    std::vector<std::string> take() const { return {m_found.begin(), m_found.end()}; }

private:
    std::string_view m_word;
    std::set<std::string> m_found;
};

const sql::SchemaTable* tableNamed(const sql::Schema& schema, std::string_view name)
{
    const auto found = std::ranges::find_if(schema.tables, [name](const sql::SchemaTable& it) { return sql::areSameName(it.name, name); });
    return found != schema.tables.end() ? &*found : nullptr;
}

/// Returns the tables that a statement names, by the names that its expressions use.
std::map<std::string, const sql::SchemaTable*> tablesIn(std::string_view statement, const sql::Schema& schema)
{
    std::map<std::string, const sql::SchemaTable*> tables;
    sql::TokenReader reader(statement);
    const sql::SchemaTable* last = nullptr; // The table that the token before named.
    while (const auto token = reader.next()) {
        if (last && token->isWord("AS"))
            continue;
        const bool isAlias = last && token->isName() && !(token->kind == sql::TokenKind::Word && isKeyword(token->text));
        if (isAlias)
            tables[sql::foldedName(nameIn(*token))] = last;
        last = token->isName() && !isAlias ? tableNamed(schema, nameIn(*token)) : nullptr;
        if (last)
            tables.emplace(sql::foldedName(last->name), last);
    }
    return tables;
}

/// True if the text ends with INCLUDE PERFETTO MODULE and a part of a name.
bool namesModule(std::string_view text)
{
    sql::TokenReader reader(text.substr(0, beginOfWord(text, true)));
    std::array<bool, 3> isThere{};
    while (const auto token = reader.next()) {
        if (token->is(';'))
            isThere = {};
        isThere = {token->isWord("INCLUDE"), isThere[0] && token->isWord("PERFETTO"), isThere[1] && token->isWord("MODULE")};
    }
    return isThere[2];
}

} // namespace

const sql::Schema& PromptCompletion::schema()
{
    if (!m_schema) {
        auto read = sql::readSchema(m_database);
        m_schema = read ? std::move(*read) : sql::Schema();
    }
    return *m_schema;
}

Completion PromptCompletion::complete(std::string_view earlier, std::string_view line)
{
    const std::string text = std::string(earlier) + std::string(line);
    if (earlier.empty() && line.starts_with('.') && line.find(' ') == std::string_view::npos) {
        Candidates found(line);
        for (const char* command : Commands)
            found.add(command);
        return {0, found.take()};
    }
    if (namesModule(text)) {
        const std::size_t begin = beginOfWord(line, true);
        Candidates found(line.substr(begin));
        for (const std::string& module : m_database.modules().find("*"))
            found.add(module);
        return {begin, found.take()};
    }
    const std::size_t begin = beginOfWord(line, false);
    Candidates found(line.substr(begin));
    if (earlier.empty() && line.starts_with(".schema ")) {
        for (const sql::SchemaTable& table : schema().tables)
            found.add(table.name);
        return {begin, found.take()};
    }
    const auto named = tablesIn(text, schema());
    if (begin > 0 && line[begin - 1] == '.') {
        const std::size_t end = begin - 1;
        const std::size_t ownerBegin = beginOfWord(line.substr(0, end), false);
        const auto owner = named.find(sql::foldedName(line.substr(ownerBegin, end - ownerBegin)));
        if (owner != named.end())
            for (const sql::SchemaColumn& column : owner->second->columns)
                found.add(column.name);
        return {begin, found.take()};
    }
    if (begin == line.size())
        return {}; // No word: everything would fit.
    for (const sql::SchemaTable& table : schema().tables) {
        found.add(table.name);
        // Before FROM is written, the columns of all tables fit.
        if (named.empty() || std::ranges::any_of(named, [&](const auto& it) { return it.second == &table; }))
            for (const sql::SchemaColumn& column : table.columns)
                found.add(column.name);
    }
    for (const std::string& function : schema().functions)
        found.add(function + "(");
    for (const char* keyword : Keywords)
        found.addKeyword(keyword);
    return {begin, found.take()};
}

} // namespace helio
