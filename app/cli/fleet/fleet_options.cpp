#include "app/cli/fleet/fleet_options.h"

#include "app/cli/command_line.h"
#include "app/cli/fleet/recordings.h"

namespace helio {

void FleetOptions::addTo(OptionList& options)
{
    options.list("WHAT", m_words, "", "`add CATALOGUE SOURCE...`, `sql CATALOGUE SELECT`, `run ...`, `export ...`");
    options.repeated("--tag", m_tags, "NAME=VALUE", "Tag of the traces that `add` adds");
    options.value("--where", condition, "SQL", "Limit `run` and `export` to these traces, e.g. host = 'web1'");
    options.value("--merge", merge, "SELECT", "`run` prints this query over the table `result` of all rows");
    options.value("-o,--output", output, "FOLDER", "Folder that `export` writes");
    options.flag("--force", replaces, "Let `export` replace an earlier export");
    reading.addTo(options);
    format.addTo(options);
}

std::string FleetOptions::missing() const
{
    const std::string word = m_words.empty() ? std::string() : m_words.front().string();
    if (word != "add" && word != "sql" && word != "run" && word != "export")
        return "expected: add CATALOGUE SOURCE..., sql CATALOGUE SELECT, run CATALOGUE SELECT, or export CATALOGUE -o FOLDER";
    if (m_words.size() < 2)
        return "a CATALOGUE is missing";
    if (word == "export" && output.empty())
        return "-o FOLDER is missing";
    if (m_words.size() < 3 && word != "export")
        return word == "add" ? "a SOURCE is missing: a trace, a folder, a list, or a file of summaries"
                             : "a statement is missing: heliograph fleet " + word + " CATALOGUE 'SELECT ...'";
    return m_words.size() > 3 && word != "add" ? "too many arguments; quote the statement" : std::string();
}

Status FleetOptions::read()
{
    return runInOrder([&] { return readWords(); }, [&] { return checkAction(); }, [&] { return format.check(); },
                      [&] { return reading.read(); }, [&] { return format.read(); });
}

Status FleetOptions::readWords()
{
    if (m_words.size() < 2) // missing() says what is missing.
        return Done{};
    const std::string word = m_words.front().string();
    action = word == "add" ? Action::Add : word == "sql" ? Action::Sql : word == "run" ? Action::Run : Action::Export;
    catalogue = m_words[1];
    if (action == Action::Add)
        sources.assign(m_words.begin() + 2, m_words.end());
    else if (m_words.size() > 2)
        statements = m_words[2].string();
    auto found = readTags(m_tags);
    if (!found)
        return found.error();
    tags = std::move(*found);
    return Done{};
}

/// Checks that the action has a use for each option.
Status FleetOptions::checkAction() const
{
    if (!tags.empty() && action != Action::Add)
        return makeUsageError("--tag", "only valid with fleet add");
    if (!condition.empty() && action != Action::Run && action != Action::Export)
        return makeUsageError("--where", "only valid with fleet run and fleet export");
    if (!merge.empty() && action != Action::Run)
        return makeUsageError("--merge", "only valid with fleet run");
    if (!output.empty() && action != Action::Export)
        return makeUsageError("--output", "only valid with fleet export");
    if (replaces && action != Action::Export)
        return makeUsageError("--force", "only valid with fleet export");
    if (action == Action::Export && statements.empty() && !givenReadingOptions().empty())
        return makeUsageError(givenReadingOptions().front().name, "only valid with a statement over each trace");
    if (action == Action::Sql && !givenReadingOptions().empty())
        return makeUsageError(givenReadingOptions().front().name, "not valid with fleet sql, which opens no trace");
    return Done{};
}

} // namespace helio
