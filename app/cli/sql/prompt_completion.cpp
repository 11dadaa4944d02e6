#include "app/cli/sql/prompt_completion.h"

#include "core/sql/completion.h"
#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace helio {
namespace {

constexpr std::array Commands{".exit", ".explain", ".functions", ".help", ".modules", ".quit", ".schema", ".tables", ".timer"};

bool beginsWith(std::string_view text, std::string_view begin) { return sql::areSameName(text.substr(0, begin.size()), begin); }

/// Returns the text that is inserted for a name: keywords in the case of the word.
std::string insertedText(const sql::FittingName& name, std::string_view word)
{
    const bool isLower = !word.empty() && word.front() >= 'a' && word.front() <= 'z';
    if (name.kind == sql::FittingName::Kind::Keyword && isLower)
        return sql::foldedName(name.name);
    return name.kind == sql::FittingName::Kind::Function ? name.name + '(' : name.name;
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
    constexpr std::string_view SchemaCommand = ".schema ";
    std::set<std::string> candidates;
    std::size_t begin = 0;
    if (earlier.empty() && line.starts_with('.') && line.find(' ') == std::string_view::npos) {
        std::ranges::copy_if(Commands, std::inserter(candidates, candidates.end()),
                             [line](const char* it) { return beginsWith(it, line); });
    } else if (earlier.empty() && line.starts_with(SchemaCommand)) {
        begin = SchemaCommand.size();
        for (const sql::SchemaTable& table : schema().tables)
            if (beginsWith(table.name, line.substr(begin)))
                candidates.insert(table.name);
    } else {
        const std::string text = std::string(earlier) + std::string(line);
        const sql::FittingNames found = sql::findFittingNames(text, text.size(), schema());
        const std::string_view word = std::string_view(text).substr(found.begin);
        if (word.empty() && !found.isQualified)
            return {}; // No word: everything would fit.
        begin = found.begin - earlier.size();
        for (const sql::FittingName& name : found.names)
            if (beginsWith(name.name, word))
                candidates.insert(insertedText(name, word));
    }
    return {begin, {candidates.begin(), candidates.end()}};
}

} // namespace helio
