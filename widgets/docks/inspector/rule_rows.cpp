#include "widgets/docks/inspector/rule_rows.h"

#include "widgets/code/code_tokenizer.h"
#include "widgets/time/time_format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("InspectorView", text); }

constexpr auto Bad = "diff.+2"; ///< Theme role of the colour for values that the user should check.
constexpr auto Wrong = "diff.+4";

/// Returns the cells of a line of the XML file: the sums over all rules in this line, which may contain several transitions.
std::vector<CodeCell> cellsOf(const std::vector<RuleFacts>& rules, int line)
{
    std::uint64_t events = 0;
    std::uint64_t fired = 0;
    QStringList missing;
    for (const RuleFacts& rule : rules)
        if (rule.line == line) {
            events += rule.events;
            fired += rule.fired;
            missing += rule.missing;
        }
    missing.removeDuplicates();
    const QString lacks = missing.size() == 1 ? missing.front() : missing.isEmpty() ? QString() : tr("%1 fields").arg(missing.size());
    return {{countText(qint64(events)), {}, events == 0},
            {fired > 0 ? countText(qint64(fired)) : tr("never"), fired > 0 ? QString() : QString::fromLatin1(Bad), false},
            {lacks, lacks.isEmpty() ? QString() : QString::fromLatin1(Bad), false}};
}

} // namespace

bool hasMissingFields(const std::vector<RuleFacts>& rules)
{
    return std::ranges::any_of(rules, [](const RuleFacts& rule) { return !rule.missing.isEmpty(); });
}

std::vector<CodeColumn> ruleColumns(bool withMissing)
{
    std::vector<CodeColumn> columns{{tr("Evaluated"), "text.secondary", 72}, {tr("Matched"), "text.secondary", 60}};
    if (withMissing)
        columns.push_back({tr("Missing"), "text.secondary", 84});
    return columns;
}

std::vector<CodeRow> ruleRows(const QString& source, const std::vector<RuleFacts>& rules, const std::vector<AnalysisProblem>& problems)
{
    std::vector<CodeRow> rows;
    const bool withMissing = hasMissingFields(rules);
    XmlTokenizer reader;
    QStringList lines = source.split('\n');
    if (!lines.isEmpty() && lines.back().isEmpty())
        lines.removeLast();
    for (QString& line : lines) {
        CodeRow row;
        row.text = line.replace('\t', QStringLiteral("    ")).remove('\r');
        row.tokens = reader.read(row.text);
        const int number = int(rows.size()) + 1;
        row.label = QString::number(number);
        const auto problem = std::ranges::find(problems, number, &AnalysisProblem::line);
        if (problem != problems.end()) {
            row.shareText = problem->isWarning ? tr("warning") : tr("error");
            row.cells = {{row.shareText, QString::fromLatin1(problem->isWarning ? Bad : Wrong), false}};
        } else if (findRule(rules, number)) {
            row.cells = cellsOf(rules, number);
            row.cells.resize(withMissing ? 3 : 2);
            row.shareText = row.cells[1].text;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<std::size_t> findRule(const std::vector<RuleFacts>& rules, int line)
{
    const auto found = std::ranges::find(rules, line, &RuleFacts::line);
    return found != rules.end() ? std::optional(std::size_t(found - rules.begin())) : std::nullopt;
}

QString summarizeRules(const std::vector<RuleFacts>& rules)
{
    const auto never = std::ranges::count(rules, std::uint64_t(0), &RuleFacts::fired);
    const QString all = rules.size() == 1 ? tr("1 rule") : tr("%1 rules").arg(rules.size());
    const auto lacking = std::ranges::count_if(rules, [](const RuleFacts& rule) { return !rule.missing.empty(); });
    const QString fired = never == 0 ? tr("%1, all matched").arg(all) : tr("%1, %2 unmatched").arg(all).arg(never);
    return lacking == 0 ? fired : fired + (lacking == 1 ? tr(", 1 lacks fields") : tr(", %1 lack fields").arg(lacking));
}

} // namespace helio
