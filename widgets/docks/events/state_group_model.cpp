#include "widgets/docks/events/state_group_model.h"

#include "widgets/time/time_format.h"

namespace helio {

namespace {

QString orUnknown(const std::optional<Duration>& duration) { return duration ? durationText(*duration) : QString(QChar(0x2013)); }

} // namespace

StateGroupModel::StateGroupModel()
{
    using Line = const StateGroup*;
    using Summary = const StateDurations&;
    const auto number = [this](const QString& title, auto textOf) {
        const auto text = [this, textOf](const Line& it) { return textOf(durationsOf(it)); };
        return TableColumn<Line>{title, text, true, {}, text};
    };
    const auto whyUnknown = [this](const Line& it) {
        return durationsOf(it).p50 ? QString() : tr("Too many intervals to keep one by one; narrow the search.");
    };
    Columns columns(ColumnCount);
    columns[Name] = {tr("By state and thread"), [this](const Line& it) { return nameOf(it); }};
    columns[Name].color = [](const Line& it) {
        return !it || !it->track.isValid() ? QStringLiteral("text.primary") : QStringLiteral("text.secondary");
    };
    columns[Name].tip = columns[Name].text;
    columns[Count] = number(tr("Count"), [](Summary it) { return countText(qint64(it.count)); });
    columns[Total] = number(tr("Total"), [](Summary it) { return durationText(it.total); });
    columns[Min] = number(tr("Min"), [](Summary it) { return durationText(it.min); });
    columns[Mean] = number(tr("Mean"), [](Summary it) { return durationText(it.mean()); });
    columns[Median] = number(tr("p50"), [](Summary it) { return orUnknown(it.p50); });
    columns[P99] = number(tr("p99"), [](Summary it) { return orUnknown(it.p99); });
    columns[Max] = number(tr("Max"), [](Summary it) { return durationText(it.max); });
    for (TableColumn<Line>* it : {&columns[Median], &columns[P99]})
        it->tip = [whyUnknown, text = it->text](const Line& line) {
            const QString why = whyUnknown(line);
            return why.isEmpty() ? text(line) : why;
        };
    setColumns(std::move(columns));
}

void StateGroupModel::setFound(std::shared_ptr<const StateSearchResult> found)
{
    // Keep the old groups alive until the items that point to them are replaced.
    const auto before = std::exchange(m_found, std::move(found));
    std::vector<const StateGroup*> lines;
    if (m_found && m_found->findings.all.count > 0) {
        lines.push_back(nullptr);
        for (const StateGroup& it : m_found->findings.groups)
            lines.push_back(&it);
    }
    setLines(std::move(lines));
    setTitle(Name, m_found && m_found->findings.areCalls ? tr("By function and thread") : tr("By state and thread"));
}

const StateDurations& StateGroupModel::durationsOf(const StateGroup* group) const
{
    return group ? group->durations : m_found->findings.all;
}

QString StateGroupModel::nameOf(const StateGroup* group) const
{
    if (!group)
        return tr("All");
    if (!group->track.isValid())
        return QString::fromStdString(group->state);
    const FoundIntervalRow& of = m_found->rowOf(group->track);
    return QStringLiteral("      ") + of.label + (of.tid >= 0 ? QStringLiteral(" %1").arg(of.tid) : QString())
        + (of.depth.isEmpty() ? QString() : tr(", depth %1").arg(of.depth));
}

} // namespace helio
