#include "widgets/docks/durations/call_list_model.h"

#include <algorithm>

namespace helio {

CallListModel::CallListModel()
{
    using Line = const ListedCalls::Call*;
    const auto threadOf = [this](const Line& it) -> const QString& { return m_calls->threads[it->thread]; };
    const auto column = [this](const QString& title, Column at, bool isNumber, std::function<QString(const Line&)> text,
                               std::function<bool(const Line&, const Line&)> isLess) {
        const auto color = [this, at](const Line&) {
            return at == std::max(sortedColumn(), 0) ? QStringLiteral("text.primary") : QStringLiteral("text.secondary");
        };
        return TableColumn<Line>{title, text, isNumber, std::move(isLess), text, {}, color};
    };
    setColumns({column(
                    tr("Start"), Begin, false, [this](const Line& it) { return timeText(it->range.begin, m_format); },
                    // Lines point into an array of calls that is sorted by start, so comparing the pointers compares the starts.
                    [](const Line& a, const Line& b) { return a < b; }),
                column(
                    tr("Duration"), Length, true, [](const Line& it) { return durationText(lengthOf(it->range)); },
                    [](const Line& a, const Line& b) { return std::pair(lengthOf(a->range), a) < std::pair(lengthOf(b->range), b); }),
                column(tr("Thread"), Thread, false, threadOf,
                       [threadOf](const Line& a, const Line& b) { return std::pair(threadOf(a), a) < std::pair(threadOf(b), b); }),
                column(
                    tr("Arguments"), Arguments, false, [](const Line& it) { return it->arguments; },
                    [](const Line& a, const Line& b) { return std::pair(a->arguments, a) < std::pair(b->arguments, b); })});
}

void CallListModel::setCalls(std::shared_ptr<const ListedCalls> calls)
{
    std::vector<const ListedCalls::Call*> lines;
    if (calls)
        for (const ListedCalls::Call& it : calls->calls)
            lines.push_back(&it);
    // Keep the old calls alive until the items that point to them are replaced.
    const auto before = std::exchange(m_calls, std::move(calls));
    setLines(std::move(lines));
}

bool CallListModel::hasArguments() const
{
    return m_calls && std::ranges::any_of(m_calls->calls, [](const ListedCalls::Call& it) { return !it.arguments.isEmpty(); });
}

void CallListModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    refreshCells();
}

int CallListModel::lineOf(std::size_t call) const
{
    return call < lines().size() ? findRow([&](const ListedCalls::Call* it) { return it == lines()[call]; }) : -1;
}

} // namespace helio
